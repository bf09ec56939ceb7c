// The list above the composer: commands, options and values to pick from while one types. The focus stays where one types.

import { el, freshId } from "./dom.js";
import { t } from "./words.js";

export class Suggestions {
  // `take` is called with the item picked.
  constructor(take) {
    this.take = take;
    this.items = [];
    this.title = el("p", { class: "title" });
    this.list = el("ul", { role: "listbox", id: freshId(), "aria-label": t("Suggestions") });
    this.node = el("div", { class: "suggestions", hidden: true }, this.title, this.list);
    // A press must not take the focus from where one types.
    this.node.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  get open() {
    return !this.node.hidden;
  }

  get current() {
    return this.open ? this.items[this.active] : undefined;
  }

  // Offers items (a label, perhaps a detail) for `input`; none closes the list.
  show(input, title, items) {
    this.input = input;
    this.items = items;
    this.active = 0;
    this.moved = false;
    this.title.textContent = title;
    this.rows = items.map((item) =>
      el(
        "li",
        { role: "option", id: freshId(), "aria-selected": "false", onclick: () => this.take(item) },
        item.leading,
        el("span", { class: "label" }, item.label),
        item.detail ? el("span", { class: "detail" }, item.detail) : null,
      ),
    );
    this.list.replaceChildren(...this.rows);
    this.node.hidden = items.length === 0;
    input.setAttribute("aria-controls", this.list.id);
    this.mark();
  }

  close() {
    this.items = [];
    this.node.hidden = true;
    this.moved = false;
    this.input?.removeAttribute("aria-activedescendant");
  }

  // Moves to the next or previous item.
  move(by) {
    if (!this.open) return;
    this.active = (this.active + by + this.items.length) % this.items.length;
    this.moved = true;
    this.mark();
  }

  mark() {
    this.rows.forEach((row, index) => row.setAttribute("aria-selected", String(index === this.active)));
    const row = this.open && this.rows[this.active];
    if (row) {
      this.input.setAttribute("aria-activedescendant", row.id);
      row.scrollIntoView({ block: "nearest" });
    }
  }
}
