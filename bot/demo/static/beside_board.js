// The board of the match of a channel, in a frame beside the chat: the board page itself. Where there is no room beside
// the chat, a button shows it in the place of the chat, and the chat in its place.

import { el } from "./dom.js";
import { t } from "./words.js";

export class BesideBoard {
  // `pane` is the person's side of the page.
  constructor(pane) {
    this.pane = pane;
    this.match = null;
    this.channel = null;
    // The thread whose board takes the place of the chat as soon as it is there.
    this.openAt = null;
    this.node = el("aside", { class: "beside-board", "aria-label": t("Board"), hidden: true });
    this.toggle = el(
      "button",
      { type: "button", class: "to-board", hidden: true, onclick: () => this.turn() },
      t("Board"),
    );
  }

  // Shows the board of the channel's match, if the person plays in one; asks again only where there was none.
  async find() {
    const { channel } = this.pane;
    const same = channel.id === this.channel;
    if (same && (this.match !== null || this.asking)) return;
    if (!same) this.show(null);
    this.channel = channel.id;
    this.asking = true;
    try {
      const { match } = await this.in(channel.id);
      if (this.channel === channel.id) this.show(match);
    } finally {
      this.asking = false;
    }
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

  show(match) {
    if (match === this.match) return;
    this.match = match;
    this.node.hidden = this.toggle.hidden = match === null;
    if (match === null) {
      this.turn(false);
      this.node.replaceChildren();
      return;
    }
    const src = `/board/${encodeURIComponent(this.pane.person)}/match/${match}`;
    this.node.replaceChildren(el("iframe", { src, title: t("Board") }));
    if (this.openAt === this.channel) this.turn(true);
    this.openAt = null;
  }

  turn(open = !this.pane.node.classList.contains("at-board")) {
    this.pane.node.classList.toggle("at-board", open);
    this.toggle.textContent = open ? t("Chat") : t("Board");
  }
}
