// A match on the page: what the server says of it, the board, the move under construction, and everything beside it.
// Knows no game: it shows what it is sent, and sends back the choices made.

import { Board } from "./board.js";
import { Building, leadsOn } from "./building.js";
import { Chips } from "./chips.js";
import { fill, plain } from "./display.js";
import { el } from "./dom.js";
import { Moves } from "./moves.js";
import { controls, ending, offers, people, told } from "./panel.js";
import { Press } from "./press.js";
import { ReviewPanel } from "./review.js";
import { Signals } from "./signals.js";
import { drawTurn, note } from "./turn.js";
import { update } from "./update.js";
import { Voice } from "./voice.js";
import { Wire } from "./wire.js";

// Milliseconds until a match that could not be read is asked for again.
const AGAIN = [2000, 5000, 15000];

export class MatchPage {
  // `subject` is the part of the address that names the match, `base` the address of the interface, `go` opens another
  // match, `first` is the first request for the match, where it is under way already, and `carried` what a page
  // without an account brings to each request. With `watch` there is nothing to do but look.
  constructor({ subject, words, base = "", go, first = null, carried = null, watch = false }) {
    Object.assign(this, { subject, words, go, first, watch, flip: 0, letters: null, building: null, failures: 0, tries: 0, room: 0 });
    this.wire = new Wire(base, (line) => this.line(line), carried);
    this.board = new Board(words, {
      tap: (square) => this.tap(square),
      lift: (square) => this.lift(square),
      known: () => this.learning,
      drop: (square) => this.tap(square, true),
      putBack: () => this.undo(),
      noPicture: () => this.refresh(),
    });
    this.chips = new Chips(this.board);
    this.moves = new Moves(this);
    this.review = new ReviewPanel(this);
    this.voice = new Voice(this);
    this.signals = new Signals(this);
    this.more = false; // Whether all that can be done after the end is shown.
    this.under = new Set();
    this.acts = [new Map(), new Map()]; // The labels of what has been possible, while the match ran and since its end.
    this.make();
  }

  make() {
    const part = (name, ...inside) => (this[name] = el("div", { class: name }, ...inside));
    this.title = el("h1", {}, "Tavoliere");
    this.lineState = el("p", { class: "line", role: "status" });
    this.inLetters = el("pre", { class: "letters", tabindex: "0", hidden: true });
    this.choosing = el("div", { class: "choosing" });
    this.turn = el("div", { class: "turn" }, this.choosing, this.voice.notice);
    const help = el("p", { class: "unseen", id: "keys" }, this.words.help);
    this.board.grid.setAttribute("aria-describedby", "keys");
    this.node = el(
      "main",
      { class: this.watch ? "match watching" : "match", "aria-busy": "true", onkeydown: (event) => this.key(event), onclick: (event) => this.voice.clicked(event) },
      el("header", {}, this.title, this.lineState),
      part("people"),
      el("div", { class: "stage" }, this.board.node, this.inLetters, help, this.voice.live),
      el("section", { class: "side", "aria-label": this.words.board }, this.turn, part("ending"), part("controls"), part("offers"), part("news"), this.voice.thinking, this.moves.node, this.review.node, part("links")),
    );
    this.press = new Press(this.node.querySelector(".side"));
  }

  async open() {
    await this.refresh();
    this.node.removeAttribute("aria-busy"); // Also without a board: what a busy page says is not read out.
    this.wire.listen(this.subject, (version) => {
      if (version === null || version !== this.state?.version) this.refresh();
    });
    let wide = this.board.pixels;
    new ResizeObserver(() => {
      if (Math.abs(this.board.pixels - wide) < 60) return;
      wide = this.board.pixels;
      this.room = 0;
      this.turn.style.minHeight = "";
      this.refresh();
    }).observe(this.node);
  }

  close() {
    this.asking = null;
    this.signals.close();
    this.wire.close();
  }

  // Shows how the line to the server stands. Signed out, nobody can do anything here.
  line(state) {
    if (state === "ended" && this.watch) return location.reload(); // Nothing of it is to stay on the screen.
    this.lineState.replaceChildren(...plain(state === "open" ? "" : this.words[state], true));
    if (state === "ended" && this.state) {
      Object.assign(this.state, { turn: null, acts: [], offers: [], players: this.state.players.map((player) => ({ ...player, toMove: false })) });
      for (const known of this.acts) known.clear();
      this.voice.live.textContent = "";
      this.building = null;
      this.signals.take(this.state);
      this.show();
    }
    const { building } = this;
    if (state === "open" && building?.now.steps === null && !this.sending) this.during(this.follow(building));
    // Pictures of choices that did not come while there was no line are asked for anew.
    if (state === "open" && this.state) {
      this.tries += 1;
      this.choices();
    }
  }

  // Shows that something is under way, until it has ended.
  async during(work) {
    this.under.add(work);
    this.node.classList.add("waiting");
    try {
      return await work;
    } finally {
      this.under.delete(work);
      this.node.classList.toggle("waiting", this.under.size > 0);
    }
  }

  // Asks for the match as it stands now; of several at once the last counts, and all end with it.
  refresh() {
    this.latest = this.fetch();
    return this.during(this.latest);
  }

  // What the server has to know of the way in which the board is looked at.
  get seen() {
    return { width: this.board.pixels, flip: this.flip, letters: this.letters };
  }

  async fetch() {
    const asked = (this.asking = {});
    const { first } = this;
    this.first = null;
    const state = await this.wire.get(this.subject, this.seen, first);
    if (asked !== this.asking) return this.latest;
    return state?.came === "done" ? this.take(state) : this.unread(state, asked);
  }

  // Goes to another board; once, although several things lead there.
  leave(path) {
    if (this.left !== path) this.go(null, path);
    this.left = path;
  }

  // Says once why the match could not be read, and asks again later, unless there is no such match for this person.
  unread(answer, asked) {
    if (answer?.words) this.voice.explain(answer.words);
    if (answer && (!answer.words || (answer.came === "refused" && !this.state))) return;
    setTimeout(() => asked === this.asking && this.refresh(), AGAIN[Math.min(this.failures, AGAIN.length - 1)]);
    this.failures += 1;
  }

  async take(state) {
    this.failures = 0;
    if (this.voice.reason) this.voice.say("");
    const before = this.state;
    if (before?.over && !before.rematch && state.rematch) return this.leave(state.rematch);
    const { width, flip } = before?.board ?? {};
    const alike = width === state.board.width && flip === state.board.flip && before?.letters === state.letters;
    const same = before?.version === state.version && alike;
    // Nothing is drawn anew without need: a button would be taken away from under a finger.
    if (same && (this.building !== null || !state.turn)) return;
    this.state = state;
    if (before?.over && !state.over) for (const known of this.acts) known.clear(); // A new game.
    const lost = this.rebuild(before);
    if (before?.ply !== state.ply) this.voice.say(lost ? this.words.illegalNow : "");
    this.signals.take(state);
    this.show();
    this.voice.wait(state.thinking);
    // A whole move that came through a change of the match is asked about: the server is to say what it does now.
    const whole = this.building?.finished && !this.building.now.said && !this.sending;
    if (whole) this.during((this.learning = this.learn(this.building)));
    if (this.moves.number === null) await this.picture();
    if (state.end && before?.over !== true) {
      // Whoever was further down, at Resign or at the moves, sees how it ended.
      if (before) scrollTo(0, 0);
      this.board.light(state.board.winning);
    }
    this.node.removeAttribute("aria-busy");
    if (before && before.version === state.version) return;
    const offered = state.offers.filter(({ id }) => !before?.offers.some((known) => known.id === id));
    const changed = before?.status !== state.status || Boolean(before?.turn) !== Boolean(state.turn);
    const texts = changed ? [...ending(state), ...told(state), state.turn && this.words.yourTurn, this.prompt()] : [];
    this.voice.announce(...texts, ...offered.map(({ words }) => words));
  }

  // Makes the choices made so far again in the position that has come; returns whether they have become impossible.
  rebuild(before) {
    const made = this.building?.begun ? this.building.now.keys : [];
    const same = before?.ply === this.state.ply && before.turn && this.state.turn;
    if (same && this.building) return false;
    this.building = this.state.turn && new Building(this.state.turn);
    if (!made.length) return false;
    if (this.building?.replay(made)) return false;
    this.board.drag.cancel();
    this.building = this.state.turn && new Building(this.state.turn);
    return this.state.turn !== null;
  }

  // Draws everything beside the board.
  show() {
    this.press.draw("all", () => this.panel());
  }

  panel() {
    const { state, words } = this;
    this.title.textContent = state.title;
    update(this.people, people(state, words));
    update(this.ending, ending(state));
    update(this.news, told(state));
    update(this.offers, offers(state, (offer, answer) => this.act("offer", { offer: offer.id, answer })));
    update(this.controls, controls(this));
    this.moves.show(state);
    this.signals.tick(); // The colours of the clocks are not part of what is drawn.
    const next = state.next && el("a", { class: "button next", href: `${this.wire.base}/${state.next.path}`, dataset: { key: "next" }, onclick: (event) => this.go(event, state.next.path) }, state.next.label ?? fill(words.nextMatch, { match: state.next.title }));
    update(this.links, next ? [next] : []);
    const { letters } = this.moves.board ?? state.board;
    this.inLetters.hidden = !letters;
    this.inLetters.textContent = letters ?? "";
    this.board.node.hidden = Boolean(letters);
    this.choices();
  }

  // Shows the board as it stands, at an earlier position, or with the choices made so far.
  picture(still = false) {
    const { state, building, moves } = this;
    if (state.letters) return null;
    if (moves.board) return this.board.show(moves.board, this.address(moves.board, { number: moves.number }));
    const keys = building?.begun ? JSON.stringify(building.now.keys) : null;
    return this.board.show(state.board, this.address(state.board, { ply: state.ply, keys }), { still: still || keys !== null });
  }

  address(board, query) {
    return this.wire.address(`${this.subject}/picture`, { width: board.width, flip: this.flip, v: board.key, ...query });
  }

  // While the person looks back, the board stays in sight on a small screen; what they have pressed stays where it is.
  look() {
    const back = this.moves.number !== null || !this.review.node.hidden;
    const { node } = this;
    if (node.classList.contains("looking-back") === back) return;
    const held = document.activeElement;
    const { top } = held.getBoundingClientRect();
    node.classList.toggle("looking-back", back);
    if (this.node.contains(held)) scrollBy(0, held.getBoundingClientRect().top - top);
  }

  // Shows what may be chosen: on the board where it has a square, and below it in words.
  choices() {
    const { building, words } = this;
    const playing = building !== null && this.moves.number === null;
    const spent = new Map();
    this.links.style.visibility = building?.begun ? "hidden" : ""; // Nothing leads away from a half-built move.
    const steps = playing ? building.bySquare() : new Map();
    const onBoard = new Set(this.state.letters ? [] : this.state.board.rows.flat().map((spot) => spot.name));
    const offered = new Map();
    const beside = [];
    for (const [square, some] of steps) {
      if (some.every((step) => step.spent)) {
        spent.set(square, { words: some[0].label, note: note(some[0]) });
        continue;
      }
      if (onBoard.has(square)) offered.set(square, some.length === 1 ? { words: some[0].label, note: note(some[0]), draws: leadsOn(some[0]) } : {});
      if (!onBoard.has(square) || (some.length > 1 && (steps.size === 1 || this.asked === square))) beside.push(...some);
    }
    const again = new Set(playing ? building.others(this.state.board.looks).keys() : []);
    this.board.mark(offered, playing ? building.squares : [], again, spent);
    this.press.draw("turn", () => drawTurn(this, playing, beside));
    if (playing) this.node.dataset.chosen = building.now.keys.join("");
  }

  prompt() {
    const now = this.moves.number === null ? this.building?.now : null;
    const asks = now && !now.question && now.steps?.length !== 0; // With nothing left to choose nothing is asked.
    return now ? [now.question, now.does, asks ? now.prompt : ""].filter(Boolean).map((text) => plain(text).join("")).join(" ") : "";
  }

  tap(square, dropped = false) {
    const { building } = this;
    if (!building || this.sending || this.moves.number !== null) return;
    const steps = (building.bySquare().get(square) ?? this.instead(square)).filter((step) => !step.spent);
    // What is not marked lets go of the last choice, and plays nothing.
    if (steps.length === 1) this.choose(steps[0], dropped);
    else if (!steps.length && !this.undo()) this.choices();
    else if (steps.length) {
      this.asked = square;
      this.choices();
      this.turn.querySelector(".step")?.focus();
    }
  }

  // Takes the piece on a square into the hand; returns whether it may be moved.
  lift(square) {
    const { building } = this;
    if (!building || this.sending || this.moves.number !== null) return false;
    if (building.begun && building.now.square === square) return true;
    const steps = building.bySquare().get(square) ?? this.instead(square);
    if (steps.length !== 1 || steps[0].complete || !building.lift(steps[0])) return false;
    this.choices();
    this.learning = building.now.steps === null ? this.during(this.learn(building)) : null;
    return true;
  }

  // Returns the choices of another piece instead of the one chosen, and takes all choices back if there are any.
  instead(square) {
    const steps = this.building.others(this.state.board.looks).get(square) ?? [];
    if (steps.length) this.building.restart();
    return steps;
  }

  choose(step, dropped = false) {
    const { building } = this;
    this.asked = null;
    this.voice.say("");
    const before = building.squares.length;
    building.choose(step);
    if (!dropped && building.squares.length > before) this.board.drag.foresee(building.squares);
    this.choices();
    return building.finished ? this.send(building.chosen, false, dropped) : this.during(this.follow(building, dropped));
  }

  // Shows the choices made, and asks the server for what it did not send along.
  async follow(building, dropped) {
    const { steps, complete } = building.now;
    const picture = this.picture(dropped);
    if (steps === null || complete) await (this.learning = this.learn(building));
    await picture;
    if (building === this.building) this.voice.announce(this.prompt());
  }

  // Asks the server what may follow the choices made, and what the move does that they make.
  async learn(building) {
    const { keys, said: known } = building.now;
    if (known) return;
    const said = await this.wire.get(`${this.subject}/choices`, { ply: this.state.ply, keys: JSON.stringify(keys) });
    if (building !== this.building || building.now.keys !== keys || this.sending) return;
    if (said?.came === "done") this.hear(building, said);
    else this.refused(said);
  }

  hear(building, said) {
    if (said.problem) {
      if (this.board.drag.held?.node) this.board.drag.cancel();
      else building.back();
      this.voice.say(said.problem);
      this.picture();
    } else building.say(said);
    this.choices();
  }

  undo() {
    this.asked = null;
    if (!this.building?.back()) return false;
    this.voice.say("");
    this.board.drag.settle();
    this.choices();
    this.picture(true);
    this.voice.announce(this.prompt());
    return true;
  }

  key(event) {
    if (event.key !== "Escape" || event.defaultPrevented || !this.building?.begun || this.sending) return;
    event.preventDefault();
    if (this.board.drag.held?.node) this.board.drag.cancel();
    else this.undo();
  }

  // Sends a move; the server plays it, or asks about it.
  send(keys, confirmed = false, dropped = false) {
    return this.sending || !this.building ? null : this.during(this.play(keys, confirmed, dropped));
  }

  async play(keys, confirmed, dropped) {
    const { building } = this;
    this.sending = true;
    this.board.node.setAttribute("aria-busy", "true");
    await this.learning; // After the move the server would refuse to answer.
    const answer = await this.wire.post(`${this.subject}/move`, { keys, ply: this.state.ply, confirmed });
    this.sending = false;
    this.board.node.removeAttribute("aria-busy");
    if (answer?.building && building === this.building) {
      if (answer.building.problem) this.board.drag.settle();
      this.hear(building, answer.building);
      if (!answer.building.problem) await this.picture(dropped);
      this.voice.announce(this.prompt());
      if (answer.building.move) this.turn.querySelector('[data-key="play"]')?.focus({ preventScroll: true });
    } else if (answer?.came === "done" || answer?.came === "repeated") {
      this.building = null;
      if (answer.path) return this.go(null, answer.path); // What was planned stands on another board.
      await this.refresh();
      this.settled(answer);
    } else {
      this.board.drag.settle();
      if (building === this.building) building?.back();
      this.refused(answer);
      await this.refresh();
      this.choices();
      this.picture(true);
    }
  }

  // Says what came of a try at a puzzle.
  settled(answer) {
    if (!answer.words) return;
    this.board.drag.settle();
    this.voice.say(answer.words, answer.right);
    this.picture(true);
  }

  refused(answer) {
    this.voice.say(answer?.words ?? this.words.notPlayed);
  }

  // Does something beside moving.
  act(act, data = {}) {
    return this.during(this.done(act, data));
  }

  async done(act, data) {
    const answer = await this.wire.post(`${this.subject}/${act}`, { ply: this.state.ply, ...data });
    await this.refresh();
    if (answer?.path) this.leave(answer.path);
    else this.voice.say(answer === null ? this.words.notPlayed : (answer.words ?? ""), answer?.came === "done");
    if (answer?.review) this.review.show(answer.review);
    if (answer?.building) await this.suggest(answer.building);
  }

  // Shows a move that the server suggests, to be played or not.
  async suggest(building) {
    if (!this.state.turn) return;
    this.building = new Building(this.state.turn);
    // A whole move: nothing is left to choose, whatever else might begin like it.
    this.hear(this.building, { ...building, prompt: "", steps: [] });
    await this.picture();
    this.turn.querySelector('[data-key="play"]')?.focus({ preventScroll: true });
  }
}
