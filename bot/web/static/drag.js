// Drags on a board: a drag is two taps. It lifts the piece under the finger, which is cut from the picture; let go over a
// square that may be chosen it lies there, and anywhere else it goes back. From a square without a piece it draws a line.

import { el } from "./dom.js";

const BEGINS = 6;
const NEAR = 20;

export class Drag {
  constructor(board) {
    this.board = board;
    this.held = null;
    this.ended = false;
    const { node } = board;
    node.addEventListener("pointerdown", (event) => this.down(event));
    node.addEventListener("pointermove", (event) => this.move(event));
    node.addEventListener("pointerup", (event) => this.up(event));
    node.addEventListener("pointercancel", () => this.cancel());
    node.addEventListener("dragstart", (event) => event.preventDefault());
  }

  down(event) {
    this.ended = false;
    if (this.held || !event.isPrimary || event.button) return;
    const button = event.target.closest?.(".piece.may, .piece.again, .draws, .chosen");
    if (!button) return;
    const chosen = button.classList.contains("chosen");
    this.held = { square: button.dataset.square, chosen, x: event.clientX, y: event.clientY, pointer: event.pointerId, node: null };
  }

  move(event) {
    const { held } = this;
    if (!held || held.letGo || event.pointerId !== held.pointer) return;
    if (!held.node) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < BEGINS) return;
      if (!this.board.use.lift(held.square)) {
        this.held = null;
        return;
      }
      this.lift(held);
    }
    held.away ||= !meets(this.board.cells.get(held.square), event);
    carry(held, event.clientX - held.x, event.clientY - held.y);
    const over = this.board.nearest(event.clientX, event.clientY, NEAR);
    if (over !== held.over) {
      this.board.cells.get(held.over)?.classList.remove("over");
      this.board.cells.get(over)?.classList.add("over");
      held.over = over;
    }
  }

  lift(held) {
    const { board } = this;
    const spot = board.spots.get(held.square);
    const { left, top, width, height } = board.cells.get(held.square).getBoundingClientRect();
    if (held.square in board.board.looks) {
      held.hole = this.place("hole", spot);
      held.node = board.cut(board.picture, spot);
      held.node.classList.add("lifted");
    } else {
      held.node = el("div", { class: "band" });
      held.node.style.left = `${(spot.left + spot.width / 2) * 100}%`;
      held.node.style.top = `${(spot.top + spot.height / 2) * 100}%`;
      Object.assign(held, { x: left + width / 2, y: top + height / 2 });
    }
    board.moving.append(held.node);
    board.node.setPointerCapture(held.pointer);
    board.node.classList.add("dragging");
  }

  async up(event) {
    const { held, board } = this;
    if (!held || held.letGo || event.pointerId !== held.pointer) return;
    if (!held.node) {
      this.held = null;
      return;
    }
    this.ended = held.letGo = true;
    await board.use.known();
    if (held !== this.held) return;
    const target = board.nearest(event.clientX, event.clientY, NEAR);
    if (target === null) {
      this.cancel();
      // A tap of an unsteady finger.
      if (!held.away && !held.chosen) board.use.tap(held.square);
      return;
    }
    this.lay(held, target);
    this.release();
    board.use.drop(target);
  }

  // Lays what is held on a square, where it stays until the picture shows it.
  lay(held, target) {
    const { board } = this;
    const [from, to] = [board.spots.get(held.square), board.spots.get(target)];
    const across = (to.left + to.width / 2 - from.left - from.width / 2) * board.node.clientWidth;
    const down = (to.top + to.height / 2 - from.top - from.height / 2) * board.node.clientHeight;
    held.node.classList.add("dropped");
    carry(held, across, down);
    this.left = { target, nodes: [held.hole, held.node].filter(Boolean) };
  }

  // Shows what was chosen by taps before the picture does: a piece goes from its square to the next one chosen, and
  // squares without a piece get an outline.
  foresee(squares) {
    const { board } = this;
    this.settle();
    const [square, target] = squares;
    const known = squares.map((name) => board.spots?.get(name));
    if (!known.every(Boolean) || board.node.hidden) return;
    const { looks } = board.board;
    if (squares.length === 2 && square in looks) {
      const held = { square, hole: this.place("hole", known[0]), node: board.cut(board.picture, known[0]) };
      board.moving.append(held.node);
      held.node.getBoundingClientRect(); // Where it begins, so that it is seen to move.
      this.lay(held, target);
    } else {
      const free = known.filter(({ name }) => !(name in looks));
      this.left = { target: null, nodes: free.map((spot) => this.place("outline", spot)) };
    }
  }

  place(kind, spot) {
    const node = el("div", { class: kind });
    for (const side of ["left", "top", "width", "height"]) node.style[side] = `${spot[side] * 100}%`;
    this.board.moving.append(node);
    return node;
  }

  // Puts a piece back that is in the hand, and takes the choice of it back.
  cancel() {
    const { held } = this;
    if (!held) return;
    this.release();
    if (!held.node) return;
    this.ended = true;
    held.hole?.remove();
    held.node.classList.add("dropped");
    carry(held, 0, 0);
    const gone = () => held.node.remove();
    held.node.addEventListener("transitionend", gone);
    setTimeout(gone, 250);
    this.board.use.putBack();
  }

  release() {
    const { held, board } = this;
    this.held = null;
    board.cells.get(held.over)?.classList.remove("over");
    board.node.classList.remove("dragging");
  }

  // Takes away what the picture did not show yet: it does now, or the move was not played. Returns what it was.
  settle() {
    const { left } = this;
    for (const node of left?.nodes ?? []) node.remove();
    this.left = null;
    return left;
  }

  // Whether the click that comes now is the end of a drag.
  wasDrag() {
    const { ended } = this;
    this.ended = false;
    return ended;
  }
}

// Takes what is held so many pixels from where it was: a piece moves there, a line ends there.
function carry({ hole, node }, right, below) {
  if (hole) node.style.translate = `${right}px ${below}px`;
  else Object.assign(node.style, { width: `${Math.hypot(right, below)}px`, rotate: `${Math.atan2(below, right)}rad` });
}

function meets(button, { clientX, clientY }) {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  return left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
}
