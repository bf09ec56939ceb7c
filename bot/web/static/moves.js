// The list of moves, and the way through the positions of a match.

import { plain } from "./display.js";
import { el } from "./dom.js";
import { update } from "./update.js";

// The characters beyond which a move has a row of its own.
const LONG = 9;

export class Moves {
  // `number` is the position shown, or null at the newest; `board` is that position.
  constructor(page) {
    this.page = page;
    this.number = null;
    this.board = null;
    const { words } = page;
    const step = (key, sign, label, to) =>
      el("button", { type: "button", class: "button quiet", dataset: { key }, "aria-label": label, title: label, onclick: () => this.go(to()) }, sign);
    const at = () => this.number ?? this.last;
    this.steps = el(
      "div",
      { class: "steps" },
      step("first", "«", words.first, () => 0),
      step("back", "‹", words.earlier, () => Math.max(0, at() - 1)),
      step("forward", "›", words.later, () => Math.min(this.last, at() + 1)),
      step("last", "»", words.newest, () => this.last),
    );
    this.said = el("p", { class: "said", role: "status" });
    this.best = el("button", { type: "button", class: "button quiet", hidden: true, onclick: () => this.suggest() }, words.best);
    this.heads = el("p", { class: "heads", "aria-hidden": "true" });
    this.list = el("ol", { class: "list", tabindex: "-1" });
    this.node = el("section", { class: "moves", "aria-label": words.moves, hidden: true }, el("h2", {}, words.moves), this.heads, this.list, this.steps, this.said, this.best);
  }

  show(state) {
    const { page } = this;
    const grown = this.last !== state.moves.length;
    this.last = state.moves.length;
    this.best.hidden = !state.over || this.number === null || page.watch;
    this.node.hidden = !this.last || state.stepping === false;
    // Two players have a column each; of more, each move stands after the one before.
    const two = state.players.length === 2;
    const column = ({ seat, text }) => (two ? ["first", "second"][seat] : text.length > LONG && "long");
    this.list.classList.toggle("two", two);
    update(this.heads, two ? state.players.map(({ seatName }) => el("span", {}, seatName)) : []);
    const rows = state.moves.map((move) =>
      el(
        "li",
        { class: column(move), dataset: { key: String(move.number) } },
        el(
          "button",
          {
            type: "button",
            dataset: { key: String(move.number) },
            "aria-current": move.number === (this.number ?? this.last) ? "step" : null,
            onclick: () => this.go(move.number),
          },
          el("small", {}, `${move.number} `),
          el("span", { class: "unseen" }, `${move.seatName}: `),
          move.text,
          page.review.sign(move.number),
        ),
      ),
    );
    update(this.list, rows);
    page.review.light(this.number ?? this.last);
    const current = this.list.querySelector("[aria-current]");
    if (current && (grown || this.number !== null)) this.reveal(current);
  }

  // Scrolls the list to a move that is out of sight; one that is seen stays under the finger.
  reveal({ offsetTop: top, offsetHeight: height }) {
    const { list } = this;
    if (top < list.scrollTop || top + height > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }

  leave() {
    this.number = null;
    this.board = null;
    this.said.replaceChildren();
  }

  // Shows a position; the last one is the newest, unless its words are wanted, too.
  go(number, told = false) {
    return this.page.during(this.turn(number, told));
  }

  // Says which move was best in the position shown.
  suggest() {
    return this.page.during(this.ask(this.number));
  }

  async ask(number) {
    const { page } = this;
    const found = await page.wire.post(`${page.subject}/best`, { number });
    if (number !== this.number) return;
    if (found?.came === "done") this.say(found.words);
    else page.refused(found);
  }

  say(...texts) {
    this.said.setAttribute("aria-live", this.page.review.held ? "off" : "polite");
    update(this.said, texts.filter(Boolean).flatMap((text, at) => [at > 0 && el("br"), ...plain(text, true)]));
  }

  async turn(number, told) {
    const { page } = this;
    const asked = (this.asked = {});
    if (number >= this.last && !told) this.leave();
    else {
      const found = await page.wire.get(`${page.subject}/position`, { number, ...page.seen });
      if (asked !== this.asked) return;
      if (found?.came !== "done") {
        page.refused(found);
        return;
      }
      this.number = number;
      this.board = found;
      this.say(found.status, found.said);
    }
    page.show();
    page.look();
    await page.picture();
  }
}
