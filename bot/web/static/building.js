// A move under construction: the choices made so far, and those that may follow. Knows no game, no server and no page.

export class Building {
  // `turn` is what may be chosen at the beginning, as the server sends it.
  constructor(turn) {
    this.turn = turn;
    this.trail = [{ ...turn, complete: turn.move !== null }];
  }

  get now() {
    return this.trail.at(-1);
  }

  get begun() {
    return this.trail.length > 1;
  }

  // The choices that the player made: not those taken by themselves behind the last one.
  get chosen() {
    return (this.trail.findLast((level) => !level.auto) ?? this.now).keys;
  }

  // Whether nothing is left to choose.
  get finished() {
    return this.begun && this.now.steps?.length === 0;
  }

  // The squares of the choices made.
  get squares() {
    return this.trail.slice(1).map((level) => level.square).filter((square) => square !== null);
  }

  // By their squares the first choices that may be made instead of the one made: other pieces to be moved. `pieces` has
  // the squares with a piece. None of them completes a move.
  others(pieces) {
    if (!this.begun) return new Map();
    const first = (this.trail[0].steps ?? []).filter((step) => step.square in pieces && leadsOn(step));
    return this.bySquare(first.filter(({ square }) => !this.squares.includes(square)));
  }

  // Returns the choices of now, by their squares; those without one are under null.
  bySquare(steps = this.now.steps ?? []) {
    const found = new Map();
    for (const step of steps) {
      if (!found.has(step.square)) found.set(step.square, []);
      found.get(step.square).push(step);
    }
    return found;
  }

  // Whether some square has several choices further on, such as the ways in which a piece may lie.
  get several() {
    const any = (steps) => steps.some(({ square, next }, at) => (square !== null && steps.findIndex((one) => one.square === square) < at) || any(next ?? []));
    return (this.turn.wide ??= any(this.turn.steps ?? []));
  }

  // Takes a choice, and each following one that is the only one.
  choose(step) {
    this.push(step, false);
    for (;;) {
      const { steps, complete } = this.now;
      if (complete || steps?.length !== 1) return;
      const [only] = steps;
      if (only.guess || (!only.complete && only.next?.length === 0)) return;
      this.push(only, true);
    }
  }

  // Takes the choice of a piece, but not where it goes, even where it can go to one square only; returns whether it may go
  // anywhere.
  lift(step) {
    this.push(step, false);
    for (;;) {
      const { steps } = this.now;
      if (steps === null || steps.some((next) => next.square !== null)) return true;
      if (steps.length !== 1 || steps[0].complete) {
        this.back();
        return false;
      }
      this.push(steps[0], true);
    }
  }

  push(step, auto) {
    const keys = [...this.now.keys, step.key];
    this.trail.push({ keys, steps: step.next, prompt: step.prompt, square: step.square, complete: step.complete, auto });
  }

  // Takes what the server says of the choices that were sent: what the move does, and whether it asks.
  say(said) {
    const keys = JSON.stringify(said.keys);
    const at = this.trail.findLastIndex((level) => JSON.stringify(level.keys) === keys);
    const before = at < 0 ? { square: null } : this.trail[at];
    const level = { ...before, ...said, complete: said.move !== null, said: true };
    if (at < 0) this.trail.push(level);
    else this.trail.splice(at, this.trail.length - at, level);
  }

  // Goes back to before the last choice of the player; returns whether there was one.
  back() {
    if (!this.begun) return false;
    while (this.now.auto) this.trail.pop();
    if (this.begun) this.trail.pop();
    return true;
  }

  // Goes back to the beginning.
  restart() {
    this.trail.length = 1;
  }

  // Makes the same choices in another position; returns whether all of them are possible there.
  replay(keys) {
    while (this.now.keys.length < keys.length) {
      const key = keys[this.now.keys.length];
      const step = this.now.steps?.find((one) => one.key === key);
      if (!step) return false;
      this.push(step, false);
    }
    return true;
  }
}

// Whether a choice may be followed by one of a square.
export function leadsOn({ complete, next }) {
  return !complete && (next === null || next.some((step) => step.square !== null));
}
