// The board of what is open, in a frame beside the chat: the board page itself, of the match of a channel or of a puzzle.
// Where there is no room beside the chat, a button shows it in the place of the chat, and the chat in its place.

import { el } from "./dom.js";
import { t } from "./words.js";

export class BesideBoard {
  // `pane` is the person's side of the page.
  constructor(pane) {
    this.pane = pane;
    // What is shown, "match/12" or "puzzle/3", and what the reader has closed.
    this.subject = null;
    this.closed = null;
    this.channel = null;
    this.over = false;
    // The newest question for the match of a channel: only its answer counts.
    this.question = null;
    // The id of the message with the puzzle that is shown, if it is one.
    this.puzzle = null;
    // The thread whose board takes the place of the chat as soon as it is there.
    this.openAt = null;
    const close = { type: "button", class: "close-board", "aria-label": t("Close the board"), onclick: () => this.close() };
    this.closer = el("button", close, "✕");
    this.node = el("aside", { class: "beside-board", "aria-label": t("Board"), hidden: true });
    this.toggle = el(
      "button",
      { type: "button", class: "to-board", hidden: true, onclick: () => this.turn() },
      t("Board"),
    );
  }

  // Shows the board of the channel's match, if the person plays in one. A thread keeps its match until it is over;
  // that of a channel may move to a thread.
  async find() {
    const { channel } = this.pane;
    const same = channel.id === this.channel;
    if (same && (this.puzzle || (this.subject && !this.over && channel.parent))) return;
    if (!same) this.show(null);
    this.channel = channel.id;
    const question = (this.question = {});
    const { match, over } = await this.in(channel.id);
    if (this.question !== question || this.puzzle) return;
    this.over = over;
    this.show(match === null ? null : `match/${match}`);
  }

  // Shows the board of a puzzle that a message offers, until that message is gone or another channel is open.
  solve(message) {
    const subject = `puzzle/${message.puzzle}`;
    if (!message.puzzle || subject === this.subject) return;
    this.puzzle = message.id;
    this.show(subject);
    if (subject !== this.closed) this.turn(true);
  }

  // Takes a message of the channel that is new or has changed.
  hear(message) {
    this.solve(message);
    this.find();
  }

  // The message with the puzzle is gone: so is its board.
  gone(message) {
    if (message !== this.puzzle) return;
    this.show(null);
    this.find();
  }

  // Resolves with the match that the person has in a channel or thread, null where there is none, and whether it is over.
  async in(channel) {
    try {
      const response = await fetch(`/board/${encodeURIComponent(this.pane.person)}/in/${channel}`);
      if (response.ok) return await response.json();
    } catch {
      // The connection says that it is lost.
    }
    return { match: null, over: true };
  }

  show(subject) {
    if (subject === this.subject) return;
    this.subject = subject;
    if (!subject?.startsWith("puzzle/")) this.puzzle = null;
    this.toggle.hidden = subject === null;
    if (subject === null) {
      this.turn(false);
      this.node.hidden = true;
      this.node.replaceChildren();
      return;
    }
    const src = `/board/${encodeURIComponent(this.pane.person)}/${subject}`;
    this.node.replaceChildren(this.closer, el("iframe", { src, title: t("Board") }));
    this.node.hidden = subject === this.closed;
    this.pane.node.classList.toggle("without-board", this.node.hidden);
    if (this.openAt === this.channel) this.turn(true);
    this.openAt = null;
  }

  close() {
    this.closed = this.subject;
    this.turn(false);
    this.node.hidden = true;
    this.pane.node.classList.add("without-board");
    this.toggle.focus();
  }

  // Shows the board in the place of the chat, or the chat; where both have room, a board that was closed comes back.
  turn(open = this.node.hidden || !this.pane.node.classList.contains("at-board")) {
    if (open) {
      this.closed = null;
      this.node.hidden = false;
      this.pane.node.classList.remove("without-board");
    }
    this.pane.node.classList.toggle("at-board", open);
    this.toggle.textContent = open ? t("Chat") : t("Board");
  }
}
