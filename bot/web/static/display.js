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

// Asks a question in front of the page; returns whether the answer is yes.
export function ask(question, yes, no, kind = "danger") {
  return new Promise((answered) => {
    const dialog = el(
      "dialog",
      { "aria-label": question, onclose: () => { dialog.remove(); answered(dialog.returnValue === "yes"); } },
      el("form", { method: "dialog" }, el("p", {}, question), el("div", { class: "decide" }, el("button", { class: `button ${kind}`, value: "yes" }, yes), el("button", { class: "button", value: "no", autofocus: true }, no))),
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
