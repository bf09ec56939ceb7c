// What a match says in sentences: what came of what the person did, and, for people who do not see the board, what has
// changed.

import { el } from "./dom.js";
import { markdown } from "./markdown.js";
import { named } from "./panel.js";

export class Voice {
  // `page` is the match. `reason` is what was said of a match that could not be read.
  constructor(page) {
    Object.assign(this, { page, reason: null });
    this.live = el("p", { class: "unseen", "aria-live": "polite" });
    this.problem = el("div", { class: "problem", role: "alert" });
  }

  // Says why something did not happen, or with `good` what did.
  say(text, good = false) {
    const { page, problem } = this;
    this.reason = null;
    page.press.draw("said", () => {
      problem.classList.toggle("good", good);
      problem.replaceChildren(text ? markdown(text, named(page.state?.people)) : "");
    });
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
