// Shows how a board changed: pieces that moved slide from square to square, everything else fades. Which piece moved
// where is read from the two boards: one is gone from a square, and one that looks alike is new on another.

const MILLISECONDS = 220;

// Returns the pairs of squares between which a piece moved.
export function moved(before, after) {
  const left = Object.keys(before).filter((square) => before[square] !== after[square]);
  const come = Object.keys(after).filter((square) => before[square] !== after[square]);
  const pairs = [];
  for (const to of come) {
    const from = left.findIndex((square) => before[square] === after[to] && !(square in after));
    if (from >= 0) pairs.push([left.splice(from, 1)[0], to]);
  }
  return pairs;
}

// Plays the change from one board to another over the picture `next`, which is about to be shown. `foreseen` is what the
// player has seen of it already. Plays nothing where the person wants less motion.
export function slide(view, before, after, next, foreseen) {
  view.moving.replaceChildren();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || view.node.hidden) return;
  const old = view.picture.cloneNode();
  old.className = "picture old";
  const others = moved(before.looks, after.looks).filter(([, to]) => to !== foreseen?.target);
  const pieces = others.map(([from, to]) => [view.spots.get(from), view.spots.get(to)]);
  const timing = { duration: MILLISECONDS, easing: "ease-in-out", fill: "forwards" };
  const gone = [old, ...(foreseen?.nodes ?? [])];
  const shown = [...gone];
  for (const [from] of pieces) shown.push(view.cut(next, from));
  const movers = pieces.map(([from, to]) => {
    const mover = view.cut(old, from);
    const across = (to.left - from.left) * view.node.clientWidth;
    const down = (to.top - from.top) * view.node.clientHeight;
    mover.animate({ translate: ["0 0", `${across}px ${down}px`] }, timing);
    return mover;
  });
  view.moving.replaceChildren(...shown, ...movers);
  const [fade] = gone.map((node) => node.animate({ opacity: pieces.length ? [1, 1, 0] : [1, 0] }, timing));
  const done = () => [...shown, ...movers].forEach((node) => node.remove());
  fade.finished.then(done, done);
}
