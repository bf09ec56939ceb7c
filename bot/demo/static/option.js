// One option of a command that is being written: its field, what may be chosen for it and what it stands for.

import { avatar, el } from "./dom.js";
import { t } from "./words.js";

const INTEGER = 4;
const BOOLEAN = 5;
const USER = 6;
const CHANNEL = 7;
const MENTIONABLE = 9;
const NUMBER = 10;

// Returns an input that is always as wide, and then as high, as its text.
export function growing(props) {
  const input = el("textarea", {
    rows: "1",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    enterkeyhint: "send",
    ...props,
  });
  const node = el("span", { class: "growing" }, input);
  const fit = () => (node.dataset.text = input.value || input.placeholder);
  input.addEventListener("input", fit);
  fit();
  return { input, node, fit };
}

export class Option {
  // `described` is the option as the bot has registered it, `pane` the person's side of the page.
  constructor(described, pane) {
    this.described = described;
    this.pane = pane;
    this.name = described.name;
    this.chosen = null;
    this.suggested = [];
    const field = growing({ "aria-label": `${described.name}: ${described.description}`, "aria-required": described.required });
    this.input = field.input;
    this.fit = field.fit;
    this.input.dataset.option = this.name;
    this.node = el("label", { class: "option" }, el("span", {}, this.name), field.node);
  }

  // Whether its value must be one of those offered.
  get strict() {
    return Boolean(this.described.choices) || [BOOLEAN, USER, CHANNEL, MENTIONABLE].includes(this.described.type);
  }

  get text() {
    return this.input.value.trim();
  }

  // What it stands for: undefined while it is empty, null when it can be nothing.
  get value() {
    if (this.chosen && this.chosen.label === this.text) return this.chosen.value;
    if (!this.text) return undefined;
    const plain = this.text.replace(/^[@#]\s*/, "").toLowerCase();
    const named = this.offers().find((item) => item.label.replace(/^[@#]\s*/, "").toLowerCase() === plain);
    if (named) return named.value;
    if (this.strict) return null;
    if (![INTEGER, NUMBER].includes(this.described.type)) return this.text;
    const number = Number(this.text);
    return Number.isFinite(number) ? number : null;
  }

  take(item) {
    this.chosen = item;
    this.input.value = item.label;
    this.fit();
    this.invalid = false;
  }

  // Leaves out what is no part of the value: the name of an option and a colon, as some type them in Discord.
  leaveOut(name) {
    if (!this.input.value.startsWith(name) && !this.input.value.endsWith(name)) return;
    this.input.value = this.input.value.replace(name, "").trim();
    this.fit();
  }

  set invalid(wrong) {
    this.input.setAttribute("aria-invalid", String(wrong));
    this.node.classList.toggle("invalid", wrong);
  }

  // Everything that may be chosen, as far as it is known.
  offers() {
    const { type, choices } = this.described;
    if (choices) return choices.map((choice) => ({ label: choice.name, value: choice.value }));
    if (type === BOOLEAN) {
      return [
        { label: t("True"), value: true },
        { label: t("False"), value: false },
      ];
    }
    if (type === USER || type === MENTIONABLE) {
      return [...this.pane.people.values()].map((person) => ({
        label: person.name,
        value: person.id,
        leading: avatar(person),
      }));
    }
    if (type === CHANNEL) {
      return [...this.pane.channels.values()]
        .filter((channel) => channel.parent === null)
        .map((channel) => ({ label: `#${channel.name}`, value: channel.id }));
    }
    return this.suggested;
  }

  // What fits the text among what is known to be on offer, the best first.
  fitting() {
    const wanted = this.typed.replace(/^[@#]\s*/, "").toLowerCase();
    const found = this.offers().filter((item) => item.label.toLowerCase().includes(wanted));
    return found.sort((one, other) => starts(other, wanted) - starts(one, wanted));
  }

  // The text, unless it is what has been chosen: then everything is on offer again.
  get typed() {
    return this.chosen?.label === this.text ? "" : this.text;
  }

  // Returns what may be chosen now; `given` is what the other options stand for.
  async suggest(path, given) {
    if (this.described.autocomplete) {
      this.asking = (this.asking ?? 0) + 1;
      const asking = this.asking;
      const outcome = await this.pane.act("suggest", { path, options: { ...given, [this.name]: this.typed }, focused: this.name });
      if (asking !== this.asking) return null;
      this.suggested = (outcome.choices ?? []).map((choice) => ({ label: choice.name, value: choice.value }));
      return this.suggested;
    }
    return this.fitting();
  }
}

function starts(item, wanted) {
  return Number(item.label.replace(/^[@#]/, "").toLowerCase().startsWith(wanted));
}
