// A board: the picture that the server draws, and over it a grid of real buttons where its squares are. One stop of the
// Tab key leads to the grid, and the arrow keys from square to square. Knows no game.

import { Drag } from "./drag.js";
import { el } from "./dom.js";
import { slide } from "./slide.js";
import { arrange } from "./update.js";

const SMALL = 44;
const SNAP = 14;

export class Board {
  // `use` has the functions that taps and drags call: tap(square), lift(square), known(), which waits until it is known
  // where the lifted piece may go, drop(square), and putBack() for a piece that was let go elsewhere. `words` are the
  // texts of the page.
  constructor(words, use) {
    this.words = words;
    this.use = use;
    this.cells = new Map();
    this.rows = [];
    this.offered = new Map();
    this.chosen = [];
    this.again = new Set();
    this.picture = el("img", { class: "picture", alt: "", draggable: "false" });
    this.grid = el("div", { role: "grid", class: "squares", onkeydown: (event) => this.key(event) });
    this.moving = el("div", { class: "moving", "aria-hidden": "true" });
    this.node = el("div", { class: "board", onclick: (event) => this.click(event) }, this.picture, this.moving, this.grid);
    this.drag = new Drag(this);
  }

  // The width of the picture in pixels of the screen.
  get pixels() {
    return Math.round((this.node.clientWidth || 600) * (window.devicePixelRatio || 1));
  }

  // Shows a board as the server describes it, with the picture at an address. Pieces that moved slide, unless the player
  // has just put one there.
  async show(board, address, { still = false } = {}) {
    const asked = (this.asked = address);
    const next = el("img", { class: "picture", alt: "", draggable: "false", src: address });
    try {
      await next.decode();
    } catch {
      if (asked === this.asked) this.use.noPicture();
      return;
    }
    if (asked !== this.asked) return;
    const before = this.board;
    this.board = board;
    // Pictures of the same board in another size differ by parts of a pixel, for which nothing has to move.
    const ratio = board.width / board.height;
    if (!(Math.abs(ratio - this.ratio) < 0.005)) this.node.parentElement.style.setProperty("--ratio", (this.ratio = ratio));
    this.place(board);
    const alike = before?.flip === board.flip && before.width * board.height === board.width * before.height;
    const foreseen = this.drag.settle();
    if (alike && !still) slide(this, before, board, next, foreseen);
    this.picture.replaceWith(next);
    this.picture = next;
    this.node.dataset.shown = address;
  }

  // Puts the buttons where the squares are; a button stays the same as long as there is its square.
  place(board) {
    const names = board.rows.map((row) => row.map((spot) => spot.name).join(" ")).join("/");
    if (names !== this.names) {
      this.names = names;
      const held = this.grid.contains(document.activeElement) ? document.activeElement.dataset.square : null;
      while (this.rows.length < board.rows.length) this.rows.push(el("div", { role: "row" }));
      board.rows.forEach((row, at) => arrange(this.rows[at], row.map((spot) => this.cell(spot.name))));
      arrange(this.grid, this.rows.slice(0, board.rows.length));
      this.order = board.rows.map((row) => row.map((spot) => spot.name));
      if (!this.cells.get(this.stop)?.isConnected) this.stop = this.order[0][0];
      if (held !== null) this.cells.get(held)?.focus({ preventScroll: true });
    }
    this.spots = new Map(board.rows.flat().map((spot) => [spot.name, spot]));
    for (const [name, spot] of this.spots) {
      const { style } = this.cells.get(name).parentElement;
      for (const side of ["left", "top", "width", "height"]) style.setProperty(`--${side}`, `${spot[side] * 100}%`);
    }
    this.grid.setAttribute("aria-label", board.description);
    this.mark(this.offered, this.chosen, this.again, this.spent);
  }

  cell(name) {
    let button = this.cells.get(name);
    if (!button) {
      button = el("button", { type: "button", dataset: { square: name } });
      button.addEventListener("focus", () => this.reach((this.reached = name)));
      this.cells.set(name, button);
      el("div", { role: "gridcell" }, button);
    }
    return button.parentElement;
  }

  // Lights up what may be chosen: `offered` has by squares the `words` of the choice, a `note` to show there, and whether
  // a drag from there `draws` a line; `chosen` the squares of the choices made.
  // `spent` has those that would need what is used up.
  mark(offered, chosen, again = new Set(), spent = new Map()) {
    this.spent = spent;
    this.offered = offered;
    this.chosen = chosen;
    this.again = again;
    for (const [name, spot] of this.spots ?? []) {
      const button = this.cells.get(name);
      const may = offered.has(name);
      const taken = chosen.includes(name);
      const piece = name in this.board.looks;
      const { words, note, draws } = offered.get(name) ?? spent.get(name) ?? {};
      button.className = [may && "may", spent.has(name) && "spent", taken && "chosen", again.has(name) && "again", piece && "piece", draws && "draws"].filter(Boolean).join(" ");
      const said = taken ? this.words.chosen : may ? this.words.possible : null;
      button.setAttribute("aria-label", [name, spot.words, said].filter(Boolean).join(", "));
      button.setAttribute("aria-disabled", String(!may && !again.has(name) && !taken));
      if (words) button.setAttribute("aria-description", words);
      else button.removeAttribute("aria-description");
      if (note) button.dataset.note = note;
      else delete button.dataset.note;
    }
    if (!this.reached) this.stop = this.firstStop() ?? this.stop;
    this.reach(this.stop);
  }

  // Where the Tab key leads until the person has gone elsewhere: to a piece that may be moved, or else to a square.
  firstStop() {
    const may = this.order?.flat().filter((name) => this.offered.has(name)) ?? [];
    return may.find((name) => name in this.board.looks) ?? may[0];
  }

  // Lights the pieces that won, one after the other; the picture marks them, too.
  light(squares) {
    squares.forEach((name, at) => {
      const cell = this.cells.get(name)?.parentElement; // A board in letters has none.
      cell?.style.setProperty("--at", at);
      cell?.classList.add("lit");
    });
  }

  reach(name) {
    if (!this.cells.get(name)?.isConnected) return;
    this.stop = name;
    for (const [other, button] of this.cells) button.tabIndex = other === name ? 0 : -1;
  }

  key(event) {
    const at = this.where(event.target.dataset.square);
    if (!at || event.altKey || event.metaKey) return;
    const [row, column] = at;
    const along = (by) => this.order[row][Math.max(0, Math.min(this.order[row].length - 1, column + by))];
    const goes = {
      ArrowLeft: () => along(-1),
      ArrowRight: () => along(1),
      ArrowUp: () => this.across(event.target.dataset.square, row, -1),
      ArrowDown: () => this.across(event.target.dataset.square, row, 1),
      Home: () => (event.ctrlKey ? this.order[0][0] : this.order[row][0]),
      End: () => (event.ctrlKey ? this.order.at(-1).at(-1) : this.order[row].at(-1)),
    }[event.key];
    if (!goes) return;
    event.preventDefault();
    this.cells.get(goes()).focus();
  }

  where(name) {
    const row = this.order?.findIndex((one) => one.includes(name)) ?? -1;
    return row < 0 ? null : [row, this.order[row].indexOf(name)];
  }

  // Returns the square above or below: the one of the next row that lies nearest.
  across(name, row, by) {
    const others = this.order[row + by];
    if (!others) return name;
    const middle = ({ left, width }) => left + width / 2;
    const here = middle(this.spots.get(name));
    const away = (other) => Math.abs(middle(this.spots.get(other)) - here);
    return others.reduce((nearest, other) => (away(other) < away(nearest) ? other : nearest));
  }

  click(event) {
    if (this.drag.wasDrag()) return;
    const name = event.target.closest?.("[data-square]")?.dataset.square;
    // Between the squares a tap means the nearest; on a square it never means another one.
    const meant = name ?? (event.detail ? this.nearest(event.clientX, event.clientY, SNAP, SMALL) : null);
    if (meant) this.use.tap(meant);
  }

  // Returns the square that may be chosen nearest to a point of the window, at most so many pixels away; squares larger
  // than `small` have to be met.
  nearest(x, y, within, small = Infinity) {
    let found = null;
    let least = within;
    for (const name of this.offered.keys()) {
      const box = this.cells.get(name)?.getBoundingClientRect();
      if (!box?.width) continue;
      const away = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
      if (away <= (Math.min(box.width, box.height) < small ? least : 0) && (found === null || away < least)) [found, least] = [name, away];
    }
    return found;
  }

  // Returns an element with a part of a picture on it, where a square is.
  cut(image, spot) {
    const piece = el("div", { class: "cut" });
    const { clientWidth: wide, clientHeight: high } = this.node;
    const { style } = piece;
    for (const side of ["left", "top", "width", "height"]) style[side] = `${spot[side] * 100}%`;
    style.backgroundImage = `url("${image.src}")`;
    style.backgroundSize = `${wide}px ${high}px`;
    style.backgroundPosition = `${-spot.left * wide}px ${-spot.top * high}px`;
    return piece;
  }
}
