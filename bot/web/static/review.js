// The review of a match that is over: how far it is, then the chart, each player's moves in a line, and where it turned.

import { el } from "./dom.js";
import { fill, plain } from "./display.js";
import { confirm } from "./panel.js";
import { update } from "./update.js";

const AGAIN = 1500;
// How far the keys lead on the chart, in moves.
const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };

export class ReviewPanel {
  // `page` is the match; `review` is what the server says of it, or null until it was asked for.
  constructor(page) {
    this.page = page;
    this.review = null;
    this.node = el("section", { class: "review", "aria-label": page.words.review, hidden: true });
  }

  // Returns the sign of a move in the list, such as "??".
  glyph(number) {
    return this.review?.glyphs?.[number] ?? "";
  }

  // Returns the sign as an element: good ones and bad ones differ in colour, too.
  sign(number) {
    const glyph = this.glyph(number);
    return glyph && el("b", { class: glyph === "!" ? "best" : glyph === "?!" ? "doubtful" : "bad" }, glyph);
  }

  // Shows a review, and asks again until it is made.
  show(review) {
    const { page } = this;
    if (!review) return;
    const fresh = !this.review;
    this.review = review;
    this.node.hidden = false;
    const line = (text) => el("p", {}, plain(text, true));
    const bar = () => el("progress", { max: review.positions, value: review.judged, "aria-label": page.words.review });
    // How far it is is said once: it changes every moment.
    const inside = review.done ? this.made(review) : [line(review.said), bar(), ...this.moments(review)];
    update(this.node, [el("h2", {}, page.words.review), ...inside, ...(review.notes ?? []).map(line)]);
    page.look();
    if (fresh) {
      this.node.scrollIntoView({ block: "nearest" });
      page.voice.announce(plain(review.done ? review.lines.join(" ") : review.said).join(""));
    } else if (review.done) page.voice.announce(plain(review.lines.join(" ")).join(""));
    page.moves.show(page.state);
    if (review.done) page.show();
    else setTimeout(() => this.again(), AGAIN);
  }

  async again() {
    const { page } = this;
    if (!this.node.isConnected) return;
    const found = await page.wire.get(`${page.subject}/review`);
    if (found?.came === "done") this.show(found.review);
    else if (found === null) setTimeout(() => this.again(), AGAIN);
    else page.refused(found);
  }

  // The chart: a press or a key shows a position, and a line stands at the position shown.
  drawn({ words, title, reach }) {
    const { page } = this;
    const { first, last, left, right } = reach;
    const go = ({ clientX, currentTarget }) => {
      const box = currentTarget.getBoundingClientRect();
      const share = ((clientX - box.left) / box.width - left) / (right - left);
      page.moves.go(Math.round(first + Math.min(1, Math.max(0, share)) * (last - first)), true);
    };
    const slider = el("div", { class: "slider", role: "slider", tabindex: "0", "aria-label": title, "aria-valuemin": first, "aria-valuemax": last, onkeydown: (event) => this.key(event) }, el("span", { class: "now" }));
    return el("div", { class: "chart", onclick: go }, el("img", { src: page.wire.address(`${page.subject}/chances`, {}), alt: words }), slider);
  }

  key(event) {
    const step = STEPS[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const { first, last } = this.review.chart.reach;
    const number = Math.min(last, Math.max(first, this.at + step));
    this.light(number); // At once, so that keys that are held down lead on from there.
    this.page.moves.go(number, true);
  }

  // Whether the person goes through the match on the chart, which then says what the position is.
  get held() {
    return document.activeElement?.matches(".slider") ?? false;
  }

  // Moves the line on the chart to a position.
  light(number) {
    const slider = this.node.querySelector(".slider");
    if (!slider) return;
    const { first, last, left, right } = this.review.chart.reach;
    this.at = Math.min(last, Math.max(first, number));
    slider.setAttribute("aria-valuenow", this.at);
    slider.setAttribute("aria-valuetext", this.valueText());
    const now = slider.firstChild;
    now.hidden = this.at !== number;
    now.style.left = `${100 * (left + ((right - left) * (number - first)) / (last - first))}%`;
  }

  // What the position is that the line stands at: its number, the move that led to it, and a chance to win.
  valueText() {
    const { words, state } = this.page;
    const move = state.moves[this.at - 1];
    const said = move && fill(words.moveOf, { number: move.number, moves: state.moves.length, said: `${move.seatName}: ${move.text}${this.glyph(move.number)}` });
    return [said ?? words.start, this.review.chart.chances[this.at]].filter(Boolean).join(" · ");
  }

  moments({ moments = [] }) {
    const go = (number) => this.page.moves.go(number, true);
    return moments.map(({ number, text }) =>
      el("button", { type: "button", class: "moment", dataset: { key: `moment ${number}` }, onclick: () => go(number) }, text.split("\n").map((one) => el("span", {}, plain(one, true)))),
    );
  }

  made(review) {
    const { page } = this;
    const { chart, lines, share } = review;
    const picture = chart?.drawn && this.drawn(chart);
    const told = chart && !chart.drawn && el("p", {}, plain(chart.words, true));
    const shares = share && el("button", { type: "button", class: "button quiet", dataset: { key: "share" }, onclick: () => confirm(page, "share-review", "share") }, share);
    return [picture, told, ...lines.map((one) => el("p", {}, plain(one, true))), ...this.moments(review), shares].filter(Boolean);
  }
}
