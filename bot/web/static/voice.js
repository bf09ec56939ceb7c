// What a match says in sentences: what came of what the person did, and, for people who do not see the board, what has
// changed.

import { el } from "./dom.js";
import { markdown } from "./markdown.js";
import { named } from "./panel.js";

// Milliseconds for which nobody wonders that a computer player has not moved yet.
const SOON = 2000;

export class Voice {
  // `page` is the match. `reason` is what was said of a match that could not be read.
  constructor(page) {
    Object.assign(this, { page, reason: null, waiting: null });
    this.live = el("p", { class: "unseen", "aria-live": "polite" });
    this.thinking = el("p", { class: "thinking", hidden: true });
    this.problem = el("div", { class: "problem", role: "alert" });
    const close = el("button", { type: "button", class: "close", "aria-label": page.words.close, onclick: () => this.close() }, "×");
    this.notice = el("div", { class: "notice" }, this.problem, close);
  }

  // A click anywhere else takes away what was said.
  clicked({ target }) {
    if (this.reason === null && !this.notice.contains(target)) this.say("");
  }

  close() {
    this.say("");
    this.page.node.querySelector('[role="grid"] [tabindex="0"]')?.focus({ preventScroll: true });
  }

  // Says why something did not happen, or with `good` what did, beside the question.
  say(text, good = false) {
    const { page, problem } = this;
    this.reason = null;
    page.press.draw("said", () => {
      problem.classList.toggle("good", good);
      problem.replaceChildren(text ? markdown(text, named(page.state?.people)) : "");
    });
  }

  // Says after a while what a computer player is about, if it still is; null where none is to move.
  wait(text) {
    if (text === this.waiting) return;
    clearTimeout(this.soon);
    this.waiting = text;
    this.page.press.draw("thinking", () => (this.thinking.hidden = true));
    if (!text) return;
    this.soon = setTimeout(() => {
      this.page.press.draw("thinking", () => Object.assign(this.thinking, { textContent: text, hidden: false }));
      this.announce(text);
    }, SOON);
  }

  // Says once why a match could not be read.
  explain(text) {
    if (text === this.reason) return;
    this.say(text);
    this.reason = text;
  }

  // Has texts, and the lines that elements show, read out.
  announce(...texts) {
    const said = texts.filter(Boolean).flatMap((one) => (one.children ? [...one.children].map((line) => line.textContent) : one));
    if (said.length) this.live.textContent = said.join(" ");
  }
}
