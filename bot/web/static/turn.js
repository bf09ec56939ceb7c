// What stands below the board while a move is put together: Undo and Play, what is asked, and choices beside the board.

import { bit } from "./chips.js";
import { fill, plain } from "./display.js";
import { el } from "./dom.js";
import { update } from "./update.js";

// The width in pixels of the pictures from which single pieces are cut.
const SMALL = 480;

// Draws what stands below the board; `steps` are the choices that are not made on the board alone. What follows stays where
// it is until the person chooses something, and then has as much room above it as before the first choice.
export function drawTurn(page, playing, steps) {
  const { turn, building } = page;
  const { height } = turn.getBoundingClientRect();
  const { style } = turn;
  update(page.choosing, playing ? toChoose(page, building, steps) : waiting(page));
  style.minHeight = "";
  if (page.state.over) return;
  if (playing && !building.begun) page.room = turn.getBoundingClientRect().height;
  style.minHeight = `${building?.begun ? page.room : height}px`;
}

// Returns the elements for a move under construction.
function toChoose(page, building, steps) {
  const { words } = page;
  const prompt = page.prompt();
  // A button is for the choices it was drawn for: it does nothing when others have come in their place.
  const press = (key, label, work, kind = "") =>
    el("button", { type: "button", class: `button ${kind}`, dataset: { key }, onclick: () => building === page.building && work() }, plain(label, true));
  // Undo stands first and Play beside it, above all texts: neither moves when the server has said what the move does. The
  // row has its place before there is anything to undo.
  const decide = [building.begun ? press("undo", words.undo, () => page.undo()) : el("p", { class: "yours" }, words.yourTurn)];
  // A move with nothing left to choose is on its way, unless the server asks first.
  if (building.now.complete && (!building.finished || building.now.said)) {
    const kind = building.now.grave ? "danger" : "primary";
    decide.push(press("play", building.now.confirmation || words.playIt, () => page.send(building.now.keys, true), kind));
  }
  const shortcuts = building.begun ? [] : (building.turn.shortcuts ?? []);
  const chips = [
    ...shortcuts.map((step) => press(`take ${step.key}`, step.label, () => page.send([step.key]), "primary")),
    ...steps.map((step) => piece(page, building, step) ?? press(`step ${step.key}`, step.label, () => page.choose(step), "step")),
  ];
  return [
    el("div", { class: "decide", dataset: { key: "decide" } }, decide),
    el("p", { class: "prompt" }, prompt),
    // Room for tiles is there before they are.
    (chips.length > 0 || building.several) && el("div", { class: "choices", role: "group", dataset: { key: "choices" }, "aria-label": prompt || words.options }, chips),
  ];
}

// Returns what stands there while nothing can be chosen: whose turn it is.
function waiting({ state, words }) {
  const mover = state.players.find((player) => player.toMove);
  if (!mover) return [];
  const turn = state.turn ? words.yourTurn : fill(words.turnOf, { players: mover.name });
  return [el("div", { class: "decide", dataset: { key: "decide" } }, el("p", { class: state.turn ? "yours" : "" }, turn)), el("p", { class: "prompt" })];
}

// Returns the button of a choice that is about one square, with that square as the choice would make it: a piece to be put
// there, which can also be dragged onto it, or the way in which the piece there comes to lie. Returns null for others.
function piece(page, building, step) {
  const { state, flip } = page;
  const spot = page.board.spots?.get(step.square ?? building.now.square);
  if (!spot || state.letters || (step.square !== null && building.bySquare().get(step.square).length === 1)) return null;
  const keys = JSON.stringify([...building.now.keys, step.key]);
  const address = page.wire.address(`${page.subject}/picture`, { width: SMALL, flip, v: state.board.key, ply: state.ply, keys, again: page.tries || null });
  const choose = () => building === page.building && page.choose(step);
  const uses = step.square === null ? { onclick: choose } : page.chips.uses(step.square, choose);
  const kind = step.square === null ? "button step chip still" : "button step chip";
  return el("button", { type: "button", class: kind, dataset: { key: `step ${step.key}` }, "aria-label": plain(step.label).join(""), title: plain(step.label).join(""), ...uses }, bit(address, spot, state.board));
}

// Returns what a choice says beyond the name of its square, where that is so short that it fits on the square.
export function note({ short, square }) {
  const more = short.startsWith(`${square}: `) ? short.slice(square.length + 2) : "";
  return more.length <= 3 ? more : "";
}
