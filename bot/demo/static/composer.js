// Where one types: messages, and commands by keyboard alone as in Discord. "/" lists the commands, Tab takes what is
// marked, Enter sends what is complete and otherwise takes, Escape leaves.

import { el } from "./dom.js";
import { Option, growing } from "./option.js";
import { Suggestions } from "./suggestions.js";
import { t } from "./words.js";

const LONGEST = 2000;

export class Composer {
  // `pane` is the person's side of the page.
  constructor(pane) {
    this.pane = pane;
    this.suggestions = new Suggestions((item) => this.take(item));
    this.entry = growing({ class: "entry", maxlength: LONGEST, "aria-label": t("Message, or / for commands") });
    this.more = growing({ class: "more", "aria-label": t("More options") });
    this.chip = el("span", { class: "chip" });
    this.options = [];
    this.command = null;
    this.row = el("div", { class: "command" }, this.chip);
    this.failed = el("p", { class: "failed", role: "alert", hidden: true });
    this.send = el("button", { type: "submit", class: "send", "aria-label": t("Send") }, "➤");
    this.node = el(
      "form",
      { class: "composer", onsubmit: (event) => { event.preventDefault(); this.submit(); } },
      this.suggestions.node,
      this.failed,
      el("div", { class: "line" }, this.entry.node, this.row, this.send),
    );
    this.entry.input.addEventListener("input", () => this.typed());
    this.entry.input.addEventListener("keydown", (event) => this.entryKey(event));
    this.more.input.addEventListener("input", () => this.listOptions());
    this.more.input.addEventListener("focus", () => this.listOptions());
    this.more.input.addEventListener("keydown", (event) => this.optionKey(event, null));
    this.node.addEventListener("focusout", (event) => {
      if (!this.node.contains(event.relatedTarget)) this.suggestions.close();
    });
    this.leave("");
  }

  // Says what is written into, or why nothing can be.
  describe(text, disabled = false) {
    this.entry.input.placeholder = disabled ? text : t("Message, or / for commands");
    this.entry.input.setAttribute("aria-label", text);
    this.entry.fit();
    for (const field of [this.entry.input, this.more.input, this.send]) field.disabled = disabled;
  }

  focus() {
    (this.command ? this.more : this.entry).input.focus({ preventScroll: true });
  }

  get idle() {
    return !this.command && !this.entry.input.value;
  }

  // Begins a command, as if it had been typed and taken.
  begin(name) {
    const command = this.pane.commands.find((one) => one.path.join(" ") === name);
    if (command) this.take({ command });
    else this.leave(`/${name}`);
  }

  // Leaves the command for plain text.
  leave(text) {
    this.command = null;
    this.options = [];
    this.row.hidden = true;
    this.entry.node.hidden = false;
    this.entry.input.value = text;
    this.entry.fit();
    this.say("");
    this.suggestions.close();
  }

  say(problem) {
    this.failed.textContent = problem;
    this.failed.hidden = !problem;
  }

  typed() {
    this.say("");
    const text = this.entry.input.value;
    if (!text.startsWith("/")) {
      this.suggestions.close();
      return;
    }
    const wanted = text.slice(1).toLowerCase().trimStart();
    const offered = this.pane.commands.filter((command) => command.anywhere || !this.pane.channel.direct);
    const named = offered.map((command) => ({ command, name: command.path.join(" ") }));
    const exact = named.find(({ name }) => wanted === `${name} `);
    if (exact) {
      this.take(exact);
      return;
    }
    const found = named
      .filter(({ name }) => name.includes(wanted.trimEnd()))
      .sort((one, other) => other.name.startsWith(wanted) - one.name.startsWith(wanted));
    const items = found.map(({ command, name }) => ({ command, label: `/${name}`, detail: command.description }));
    this.suggestions.show(this.entry.input, t("Commands"), items);
  }

  entryKey(event) {
    const { open } = this.suggestions;
    if (open && this.listKey(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      if (open) this.take(this.suggestions.current);
      else this.submit();
    } else if (event.key === "Tab" && open && !event.shiftKey) {
      event.preventDefault();
      this.take(this.suggestions.current);
    } else if (event.key === "Escape") this.leave("");
  }

  // Moves in the list; returns whether the key was for it.
  listKey(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return false;
    event.preventDefault();
    this.suggestions.move(by);
    return true;
  }

  // Takes what was picked from the list: a command, an option, or a value.
  take(item) {
    if (!item) return;
    if (item.command) this.start(item.command);
    else if (item.option) this.add(item.option).input.focus();
    else {
      item.field.take(item);
      this.suggestions.close();
      this.next();
    }
  }

  start(command) {
    this.leave("");
    this.command = command;
    this.entry.node.hidden = true;
    this.row.hidden = false;
    this.chip.textContent = `/${command.path.join(" ")}`;
    this.row.replaceChildren(this.chip, this.more.node);
    for (const option of command.options.filter((one) => one.required)) this.add(option);
    this.next();
  }

  add(described) {
    const option = new Option(described, this.pane);
    this.options.push(option);
    this.more.node.before(option.node);
    option.input.addEventListener("input", () => this.listValues(option));
    option.input.addEventListener("focus", () => this.listValues(option));
    option.input.addEventListener("keydown", (event) => this.optionKey(event, option));
    this.nameMore();
    return option;
  }

  drop(option) {
    const index = this.options.indexOf(option);
    this.options.splice(index, 1);
    option.node.remove();
    this.nameMore();
    (this.options[index - 1] ?? this.more).input.focus();
  }

  get unused() {
    const used = new Set(this.options.map((option) => option.name));
    return this.command.options.filter((option) => !used.has(option.name));
  }

  nameMore() {
    const count = this.unused.length;
    this.more.input.placeholder = count ? `+${t("{number} optional", { number: count })}` : "";
    this.more.input.value = "";
    this.more.fit();
  }

  // Moves on to what is still to be filled in, or to the end.
  next() {
    const open = this.options.find((option) => option.described.required && option.value === undefined);
    (open ?? this.more).input.focus();
    if (!open) this.listOptions();
  }

  listOptions() {
    const wanted = this.more.input.value.trim().toLowerCase();
    const named = this.unused.find((option) => wanted === `${option.name}:`);
    if (named) {
      this.take({ option: named });
      return;
    }
    const items = this.unused
      .filter((option) => option.name.includes(wanted))
      .map((option) => ({ option, label: option.name, detail: option.description }));
    this.suggestions.show(this.more.input, t("{command}: options", { command: `/${this.command.path.join(" ")}` }), items);
  }

  async listValues(option) {
    this.say("");
    option.invalid = false;
    option.leaveOut(`${option.name}:`);
    const named = this.unused.find(({ name }) => option.input.value.endsWith(` ${name}:`));
    if (named) {
      option.leaveOut(` ${named.name}:`);
      this.take({ option: named });
      return;
    }
    // What was suggested before must not be taken for what is typed now.
    this.showValues(option, option.fitting());
    const found = await option.suggest(this.command.path, this.given(option));
    if (found === null || document.activeElement !== option.input) return;
    this.showValues(option, found);
  }

  showValues(option, found) {
    const items = found.slice(0, 25).map((item) => ({ ...item, field: option }));
    this.suggestions.show(option.input, `${option.name}: ${option.described.description}`, items);
  }

  optionKey(event, option) {
    const { open, current, moved } = this.suggestions;
    if (open && this.listKey(event)) return;
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      if (open && moved) this.take(current);
      else if (this.complete()) this.submit();
      else if (open) this.take(current);
      else this.submit();
    } else if (event.key === "Tab" && !event.shiftKey) this.tab(event, option);
    else if (event.key === "Escape") {
      event.preventDefault();
      this.leave("");
      this.focus();
    } else if (event.key === "Backspace" && !event.target.value) this.back(event, option);
  }

  // Takes what is marked and moves on; at the end, where nothing is to be taken, the focus goes its way.
  tab(event, option) {
    const { current } = this.suggestions;
    const settled = option ? option.chosen?.label === option.text && option.text : !current;
    if (current && !settled) {
      event.preventDefault();
      this.take(current);
    } else if (option) {
      event.preventDefault();
      this.next();
    }
  }

  back(event, option) {
    event.preventDefault();
    if (option && !option.described.required) this.drop(option);
    else if (option && this.options.indexOf(option) > 0) this.options[this.options.indexOf(option) - 1].input.focus();
    else if (option || !this.options.length) {
      this.leave(`/${this.command.path.join(" ")}`);
      this.entry.input.focus();
      this.typed();
    } else this.options.at(-1).input.focus();
  }

  complete() {
    return this.options.every((option) =>
      option.value === undefined ? !option.described.required : option.value !== null,
    );
  }

  // What the options stand for, but for one of them.
  given(except = null) {
    const filled = this.options.filter((option) => option !== except && (option.value ?? null) !== null);
    return Object.fromEntries(filled.map((option) => [option.name, option.value]));
  }

  async submit() {
    if (this.command) await this.submitCommand();
    else if (this.entry.input.value.trim()) {
      const text = this.entry.input.value;
      this.leave("");
      const outcome = await this.pane.act("say", { text });
      if (outcome.failed) {
        this.leave(text);
        this.say(t(outcome.failed));
      }
    }
  }

  async submitCommand() {
    const wrong = this.options.find((option) =>
      option.value === undefined ? option.described.required : option.value === null,
    );
    if (wrong) {
      wrong.invalid = true;
      wrong.input.focus();
      this.say(t(wrong.text ? "Please choose {name} from the list." : "Please fill in {name}.", wrong));
      return;
    }
    if (this.sending) return;
    this.sending = true;
    this.suggestions.close();
    this.node.setAttribute("aria-busy", "true");
    const command = this.command;
    const outcome = await this.pane.interact("command", { path: command.path, options: this.given() });
    this.node.removeAttribute("aria-busy");
    this.sending = false;
    if (outcome.failed) {
      this.say(t(outcome.failed));
      return;
    }
    const held = this.node.contains(document.activeElement);
    if (this.command === command) this.leave("");
    if (held) this.focus();
    const opened = this.pane.channels.get(this.pane.opened); // Its board may have come before the answer.
    if (opened) this.pane.goAlong(opened);
  }
}
