// Small things that are shown: texts with names put in, Discord's marks in them, and questions.

import { el } from "./dom.js";

// Returns a text with values in the place of their names in braces.
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// Returns a line without Discord's marks, in parts; with `strong` the bold parts are elements.
export function plain(text, strong = false) {
  return text
    .replace(/^-# /gm, "")
    .replace(/`/g, "")
    .split("**")
    .map((part, at) => (strong && at % 2 ? el("strong", {}, part) : part.replace(/\\([^0-9A-Za-z\s])/g, "$1")))
    .filter((part) => part !== "");
}

// Asks a question in front of the page; returns the value of the answer, null for `no`. `answers` have a value, a label
// and a kind of button.
export function ask(question, answers, no) {
  return new Promise((answered) => {
    const [said, text] = [plain(question).join(""), plain(question, true)];
    const buttons = answers.map(({ value, label, kind = "" }) => el("button", { class: `button ${kind}`, value }, label));
    const dialog = el(
      "dialog",
      { "aria-label": said, onclose: () => { dialog.remove(); answered(dialog.returnValue || null); } },
      el("form", { method: "dialog" }, el("p", {}, text), el("div", { class: "decide" }, buttons, el("button", { class: "button", value: "", autofocus: true }, no))),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

// Shows something in front of the page, until it is closed.
export function open(title, close, ...inside) {
  const dialog = el(
    "dialog",
    { class: "wide", "aria-label": title, onclose: () => dialog.remove() },
    el("form", { method: "dialog" }, el("h2", {}, title), el("button", { class: "button", autofocus: true }, close)),
    el("div", { class: "scroll", tabindex: "0" }, inside),
  );
  document.body.append(dialog);
  dialog.showModal();
}
