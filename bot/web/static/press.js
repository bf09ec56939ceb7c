// Keeps controls as they are while one of them is pressed: what would move or change them waits until it is let go. So a
// press between finger down and finger up always means the control that the person sees.

const CLICK = 80;

export class Press {
  // `node` has the controls.
  constructor(node) {
    this.held = false;
    this.waiting = new Map();
    node.addEventListener("pointerdown", (event) => {
      if (event.target.closest("button, a")) this.held = true;
    });
    // After a finger is lifted its click comes as an event of its own; a mouse that was let go outside says nothing.
    const done = () => this.held && setTimeout(() => this.release(), CLICK);
    for (const type of ["pointerup", "pointercancel", "blur"]) window.addEventListener(type, done);
    window.addEventListener("pointermove", (event) => !event.buttons && done());
    window.addEventListener("click", () => this.release());
  }

  // Draws something at once, or after a press; of several by the same name the last counts.
  draw(name, work) {
    this.waiting.delete(name);
    if (this.held) this.waiting.set(name, work);
    else work();
  }

  release() {
    this.held = false;
    const every = [...this.waiting.values()];
    this.waiting.clear();
    for (const work of every) work();
  }
}
