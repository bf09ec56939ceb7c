// Choices that lie beside the board and belong on a square of it: a piece to be set up there. Each shows the piece as it
// would lie on the square, cut from the picture after that choice, and can be dragged onto the square, or pressed.

import { el } from "./dom.js";

const BEGINS = 6;
const NEAR = 24;
const SIZE = 48;

// Returns an element with the part of a picture where a square is. `address` is the picture's, `board` its measures.
export function bit(address, spot, board) {
  const node = el("span", { class: "bit", "aria-hidden": "true", dataset: { key: `${address} ${spot.name}` } });
  const wide = SIZE / spot.width;
  const high = (wide * board.height) / board.width;
  node.style.backgroundImage = `url("${address}")`;
  node.style.backgroundSize = `${wide}px ${high}px`;
  node.style.backgroundPosition = `${-spot.left * wide}px ${-spot.top * high}px`;
  return node;
}

export class Chips {
  // `board` has the squares onto which pieces are dragged.
  constructor(board) {
    this.board = board;
    this.held = null;
    this.ended = false;
  }

  // Returns the listeners of a button whose piece belongs on a square; `choose` takes the choice.
  uses(square, choose) {
    return {
      onpointerdown: (event) => this.down(event),
      onpointermove: (event) => this.move(event, square),
      onpointerup: (event) => this.up(event, square, choose),
      onpointercancel: () => this.release(square),
      onclick: () => (this.ended ? (this.ended = false) : choose()),
    };
  }

  down(event) {
    this.ended = false;
    if (!event.isPrimary || event.button) return;
    this.held = { chip: event.currentTarget, pointer: event.pointerId, x: event.clientX, y: event.clientY, node: null };
    // A quick mouse has left the button before it is heard to move.
    event.currentTarget.setPointerCapture(event.pointerId);
  }

  move(event, square) {
    const { held } = this;
    if (!held || event.pointerId !== held.pointer) return;
    const [right, below] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.node) {
      if (Math.hypot(right, below) < BEGINS) return;
      this.lift(held);
    }
    held.node.style.translate = `${right}px ${below}px`;
    this.board.cells.get(square).classList.toggle("over", this.meets(event, square));
  }

  lift(held) {
    const from = held.chip.querySelector(".bit");
    const { left, top } = from.getBoundingClientRect();
    held.node = from.cloneNode();
    held.node.style.cssText = from.style.cssText;
    Object.assign(held.node.style, { left: `${left}px`, top: `${top}px` });
    held.node.className = "bit lifted carried";
    this.board.node.parentElement.append(held.node);
  }

  meets(event, square) {
    return this.board.nearest(event.clientX, event.clientY, NEAR) === square;
  }

  up(event, square, choose) {
    const lifted = this.held?.node && event.pointerId === this.held.pointer;
    this.release(square);
    if (!lifted) return;
    this.ended = true;
    if (this.meets(event, square)) choose();
  }

  release(square) {
    this.held?.node?.remove();
    this.held = null;
    this.board.cells.get(square).classList.remove("over");
  }
}
