// A list to choose from that opens at a button, by mouse, touch or keyboard: menus in messages, and who to be.

import { el, freshId } from "./dom.js";

let opened = null;

// Closes the list that is open, if there is one.
export function closeList() {
  opened?.close();
}

// Opens a list at `anchor`. `options` have a value, a label, and perhaps a description and whether they are `chosen`;
// `take` gets the values chosen, as soon as `most` are chosen or, where several may be, when the list is closed.
export function openList(anchor, { title, options, most = 1, fewest = 1, take }) {
  closeList();
  const chosen = new Set(options.filter((option) => option.chosen).map((option) => option.value));
  const several = most > 1;
  const rows = options.map((option) =>
    el(
      "li",
      { role: "option", id: freshId(), "aria-selected": String(chosen.has(option.value)), dataset: { value: option.value } },
      option.leading,
      el("span", { class: "label" }, option.label),
      option.description && el("span", { class: "description" }, option.description),
    ),
  );
  const list = el("ul", {
    class: "listbox",
    role: "listbox",
    tabindex: "-1",
    "aria-label": title,
    "aria-multiselectable": several ? "true" : null,
  }, rows);
  let active = Math.max(0, options.findIndex((option) => option.chosen));
  let typed = "";
  let lastTyped = 0;

  const mark = () => {
    rows.forEach((row, index) => row.classList.toggle("active", index === active));
    if (rows[active]) {
      list.setAttribute("aria-activedescendant", rows[active].id);
      rows[active].scrollIntoView({ block: "nearest" });
    }
  };
  const close = (toAnchor = true) => {
    if (opened?.list !== list) return;
    opened = null;
    document.removeEventListener("pointerdown", outside, true);
    list.remove();
    anchor.setAttribute("aria-expanded", "false");
    if (toAnchor && anchor.isConnected) anchor.focus();
    if (several && chosen.size >= fewest) take([...chosen]);
  };
  const outside = (event) => {
    if (!list.contains(event.target) && !anchor.contains(event.target)) close(false);
  };
  const pick = (index) => {
    const value = options[index]?.value;
    if (value === undefined) return;
    if (!several) {
      close();
      take([value]);
      return;
    }
    if (chosen.has(value)) chosen.delete(value);
    else if (chosen.size < most) chosen.add(value);
    rows[index].setAttribute("aria-selected", String(chosen.has(value)));
  };
  const search = (key) => {
    typed = Date.now() - lastTyped > 800 ? key : typed + key;
    lastTyped = Date.now();
    const found = options.findIndex((option) => option.label.toLowerCase().startsWith(typed.toLowerCase()));
    if (found >= 0) active = found;
  };
  list.addEventListener("keydown", (event) => {
    const last = rows.length - 1;
    if (event.key === "ArrowDown") active = Math.min(last, active + 1);
    else if (event.key === "ArrowUp") active = Math.max(0, active - 1);
    else if (event.key === "Home") active = 0;
    else if (event.key === "End") active = last;
    else if (event.key === "Enter" || event.key === " ") pick(active);
    else if (event.key === "Escape" || event.key === "Tab") close();
    else if (event.key.length === 1) search(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
    mark();
  });
  rows.forEach((row, index) => {
    row.addEventListener("click", () => pick(index));
    row.addEventListener("pointermove", () => {
      active = index;
      mark();
    });
  });

  anchor.after(list);
  anchor.setAttribute("aria-expanded", "true");
  place(anchor, list);
  opened = { list, close };
  document.addEventListener("pointerdown", outside, true);
  list.focus({ preventScroll: true });
  mark();
}

// Puts the list below its anchor, or above where there is more room.
function place(anchor, list) {
  const box = anchor.getBoundingClientRect();
  const frame = (anchor.closest(".timeline") ?? document.documentElement).getBoundingClientRect();
  const below = Math.min(frame.bottom, innerHeight) - box.bottom;
  const above = box.top - Math.max(frame.top, 0);
  list.classList.toggle("above", below < Math.min(list.scrollHeight, 300) && above > below);
  list.style.maxHeight = `${Math.max(120, Math.min(360, Math.max(below, above) - 12))}px`;
}
