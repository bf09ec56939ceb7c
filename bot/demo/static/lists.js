// The lists at the sides of the page: channels and threads, with marks for what is unread and for mentions, and members.

import { avatar, el, refill } from "./dom.js";
import { t } from "./words.js";

// What stands before the name of a channel, and of direct messages.
export const signOf = (channel) => (channel.direct ? "@" : "#");

export class ChannelList {
  // `open` is called with the id of the channel that is chosen.
  constructor(open) {
    this.open = open;
    this.node = el("ul", {});
  }

  // Lists channels, threads below their channel; `current` is the id of the one that is open.
  show(channels, current) {
    const threads = (channel) =>
      channels.filter((thread) => thread.parent === channel.id && (!thread.archived || thread.id === current));
    const homes = channels.filter((channel) => channel.parent === null);
    refill(this.node, homes.flatMap((channel) => [channel, ...threads(channel)].map((one) => this.row(one, one.id === current))));
  }

  focus() {
    this.node.querySelector("[aria-current]")?.focus();
  }

  row(channel, current) {
    const { unread, pings } = current ? { unread: 0, pings: 0 } : channel;
    return el(
      "li",
      { class: channel.parent ? "thread" : null },
      el(
        "button",
        {
          type: "button",
          class: unread ? "unread" : null,
          "aria-current": current ? "page" : null,
          dataset: { key: channel.id },
          onclick: () => this.open(channel.id),
        },
        el("span", { class: "sign", "aria-hidden": "true" }, channel.parent ? "" : signOf(channel)),
        el("span", { class: "label" }, channel.name),
        pings ? el("span", { class: "pings", "aria-label": t("Mentions: {number}", { number: pings }) }, String(pings)) : null,
        unread ? el("span", { class: "hidden" }, ` ${t("(unread)")}`) : null,
      ),
    );
  }
}

export class MemberList {
  // `about` is called with the id of the person who is chosen, and the button pressed.
  constructor(about) {
    this.about = about;
    this.node = el("ul", {});
  }

  show(people) {
    refill(this.node, people.map((person) => this.row(person)));
  }

  row(person) {
    const onclick = (event) => this.about(person.id, event.currentTarget);
    const app = person.bot ? el("span", { class: "app" }, "APP") : null;
    return el("li", {}, el("button", { type: "button", dataset: { key: person.id }, onclick }, avatar(person), el("span", {}, person.name), app));
  }
}

// How many messages of channels name the person.
export function pingsIn(channels) {
  return channels.reduce((sum, channel) => sum + channel.pings, 0);
}
