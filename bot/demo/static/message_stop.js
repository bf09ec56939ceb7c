// The one message of a timeline whose controls are stops of the Tab key: the arrow keys go from message to message, and the
// focus stays with a control when its message is drawn anew.

export class MessageStop {
  // `frame` is a stop of the Tab key while no message is one; `nodes` returns the messages shown, oldest first.
  constructor(frame, nodes) {
    this.frame = frame;
    this.nodes = nodes;
    this.node = null;
    frame.addEventListener("keydown", (event) => this.key(event));
  }

  // Keeps the Tab key to the controls of one message, or of none.
  set(node) {
    if (this.node && this.node !== node) reach(this.node, false);
    this.node = node;
    if (node) reach(node, true);
    this.frame.tabIndex = node ? -1 : 0;
  }

  // Chooses that message: the one with the focus, or the newest with something to press.
  choose() {
    const focused = this.nodes().find((node) => node.contains(document.activeElement));
    this.set(focused ?? this.goal());
  }

  // Goes to the newest message with something to press.
  arrive() {
    const goal = this.goal();
    if (goal) this.focus(goal);
  }

  // Takes a message that has been drawn anew for the one before.
  renew(node, fresh) {
    const focus = focusIn(node);
    node.replaceWith(fresh);
    reach(fresh, false);
    if (this.node === node) this.node = null;
    restoreFocus(fresh, focus);
  }

  goal() {
    const nodes = this.nodes();
    return nodes.findLast((node) => node.querySelector(".button:enabled, .menu:enabled")) ?? nodes.at(-1);
  }

  focus(node) {
    this.set(node);
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || event.defaultPrevented || event.target.closest(".listbox, input, textarea")) return;
    const nodes = this.nodes();
    const next = nodes[nodes.indexOf(this.node) + by];
    if (!next) return;
    event.preventDefault();
    this.focus(next);
  }
}

// Returns which control of a message has the focus, or null.
export function focusIn(node) {
  const focused = document.activeElement;
  if (!node.contains(focused)) return null;
  return { control: focused.dataset.control, label: focused.textContent };
}

// Puts the focus on the same control of the message as it is now, by its id or else its label; on the message itself where
// that is gone or can't be used, so that the same key pressed once more does nothing else.
export function restoreFocus(node, focus) {
  if (!focus) return;
  const controls = [...node.querySelectorAll("button, a")];
  const same =
    controls.find((control) => focus.control && control.dataset.control === focus.control) ??
    controls.find((control) => focus.label && control.textContent === focus.label);
  (same && !same.disabled ? same : node).focus({ preventScroll: true });
}

// Puts the controls of a message among the stops of the Tab key, or leaves them out. The message itself is never one, but
// can have the focus.
export function reach(node, within) {
  node.tabIndex = -1;
  for (const control of node.querySelectorAll("button:not(.name), a, pre")) control.tabIndex = within ? 0 : -1;
}
