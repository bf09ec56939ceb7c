// The messages of one channel: fetched a page at a time, a bounded number of them on the page, and always where the
// reader wants to be: at the newest message while they are there, and at every answer to what they do.

import { byAge, el } from "./dom.js";
import { renderMessage } from "./message.js";
import { MessageStop, focusIn, reach, restoreFocus } from "./message_stop.js";
import { t } from "./words.js";

const MOST = 150;
const NEAR = 600;
const AT_BOTTOM = 40;
const SOON = 500;
const UNHEARD = 500;
const BEGUN = 3;
// Pixels above and below a message in the timeline.
const EDGES = 28;

export class Timeline {
  // `pane` is the person's side of the page.
  constructor(pane) {
    this.pane = pane;
    this.expected = new Map();
    this.list = el("ol", { class: "messages" });
    this.start = el("div", { class: "beginning" });
    this.node = el(
      "div",
      { class: "timeline", role: "log", "aria-live": "polite", "aria-label": t("Messages"), tabindex: "0" },
      this.start,
      this.list,
    );
    this.jump = el("button", { type: "button", class: "jump", hidden: true, onclick: () => this.toNewest() });
    this.places = new Map();
    this.stop = new MessageStop(this.node, () => this.messages.map((message) => this.nodes.get(message.id)));
    this.clear();
    this.node.addEventListener("scroll", () => this.scrolled(), { passive: true });
    const watch = new ResizeObserver(() => {
      this.messages.slice(-BEGUN).forEach(({ id }) => this.fit(this.nodes.get(id)));
      this.settle();
    });
    watch.observe(this.node);
    watch.observe(this.list);
  }

  // Takes all messages off the page; the focus one of them had is the reader's place in the messages to come.
  clear() {
    if (this.list.contains(document.activeElement)) this.node.focus({ preventScroll: true });
    this.messages = [];
    this.nodes = new Map();
    this.stop.set(null);
    this.list.replaceChildren();
    this.older = this.newer = false;
    this.following = true;
    this.missed = 0;
    this.divider = null;
    this.top = 0;
    this.showJump();
  }

  // Shows a channel at its newest message, at the message `at`, or, going `back`, where the reader left it.
  async show(channel, { at = null, back = false } = {}) {
    this.leave();
    const left = back ? this.places.get(channel.id) : null;
    this.channel = channel;
    this.load = (this.load ?? 0) + 1;
    const load = this.load;
    this.arrived = [];
    // The messages of the channel before stay until these are there.
    this.node.setAttribute("aria-busy", "true");
    const page = await this.pane.connection.messages(channel.id, at ?? left ? { around: at ?? left.id } : {});
    if (load !== this.load) return;
    this.node.removeAttribute("aria-busy");
    if (page === null) return;
    const read = channel.read;
    const unread = channel.unread > 0 && read !== "0" && !at;
    // Of a match that has just begun everything is new.
    if (page.messages.length > BEGUN) this.hush();
    this.clear();
    this.add(page.messages);
    this.older = page.older;
    this.newer = page.newer;
    this.describe();
    if (unread) this.divide(page.messages.find((message) => byAge(message.id, read) > 0)?.id);
    if (at === this.pane.welcome[0] && at) this.toStart(at);
    else if (at) this.flash(at);
    else if (left && this.nodes.has(left.id)) this.toStart(left.id, left.offset);
    else if (this.pane.welcome.length && this.messages.at(-1)?.id === this.pane.welcome.at(-1)) this.toStart(this.pane.welcome[0]);
    else this.bottom();
    this.catchUp();
    this.fill();
  }

  // Gives the picture that a person plays by as much height as leaves it and all that stands under it in sight together.
  fit(node) {
    const picture = node?.querySelector('.gallery[data-count="1"]');
    if (!picture || !node.querySelector(".row")) return;
    const under = node.getBoundingClientRect().bottom - picture.getBoundingClientRect().bottom;
    node.style.setProperty("--fits", `${Math.round(this.node.clientHeight - under - EDGES)}px`);
  }

  // Notes where in the channel the reader is, unless that is at the newest message.
  leave() {
    const top = this.node.getBoundingClientRect().top;
    const seen = this.channel && !this.following && this.messages.find((message) => {
      const box = this.nodes.get(message.id).getBoundingClientRect();
      return box.bottom > top;
    });
    if (seen) this.places.set(this.channel.id, { id: seen.id, offset: this.nodes.get(seen.id).getBoundingClientRect().top - top });
    else if (this.channel) this.places.delete(this.channel.id);
  }

  // Shows a message at the upper edge, or so many pixels below it.
  toStart(id, offset = 0) {
    this.following = false;
    this.node.scrollTop += this.nodes.get(id).getBoundingClientRect().top - this.node.getBoundingClientRect().top - offset;
    this.top = this.node.scrollTop;
    this.pane.read(this.messages.at(-1)?.id);
    this.showJump();
  }

  // Goes to the newest message with something to press.
  arrive() {
    const go = () => this.stop.arrive();
    if (this.messages.length) go();
    else this.arriving = go;
  }

  chooseStop() {
    this.stop.choose();
    this.pane.showTurn();
  }

  // Fetches again what is shown, after the connection was lost.
  async refresh() {
    if (!this.channel) return;
    const middle = this.messages[Math.floor(this.messages.length / 2)]?.id;
    const following = this.following || !middle;
    const load = this.load;
    this.arrived = [];
    const page = await this.pane.connection.messages(this.channel.id, following ? {} : { around: middle });
    if (load !== this.load || page === null) return;
    const top = this.node.scrollTop;
    const missed = this.missed;
    const focused = [...this.nodes].find(([, node]) => node.contains(document.activeElement));
    const focus = focused && focusIn(focused[1]);
    this.hush();
    this.clear();
    this.add(page.messages);
    this.older = page.older;
    this.newer = page.newer;
    this.describe();
    if (focus && this.nodes.has(focused[0])) restoreFocus(this.nodes.get(focused[0]), focus);
    if (following) this.bottom();
    else {
      this.following = false;
      this.node.scrollTop = top;
      this.missed = missed;
      this.showJump();
    }
    this.catchUp();
  }

  // Keeps a screen reader from reading aloud what is put on the page now: only what is new is to be heard.
  hush() {
    this.node.setAttribute("aria-live", "off");
    clearTimeout(this.hushed);
    this.hushed = setTimeout(() => this.node.setAttribute("aria-live", "polite"), UNHEARD);
  }

  // Takes what has arrived while messages were being fetched.
  catchUp() {
    const arrived = this.arrived ?? [];
    this.arrived = null;
    for (const message of arrived) this.receive(message);
  }

  // Takes a message that is new or has changed.
  receive(message) {
    if (this.arrived) {
      this.arrived.push(message);
      return;
    }
    const known = this.nodes.get(message.id);
    if (known) {
      this.replace(message, known);
      if (message.paged) this.toItsTop(message.id);
      return;
    }
    if (this.messages.length && byAge(message.id, this.messages.at(-1).id) < 0) return;
    const own = message.author.id === this.pane.me.id || message.asked?.by === this.pane.me.id;
    if (this.newer) {
      if (own) this.show(this.channel);
      else this.miss();
      return;
    }
    if (!own && !this.following && !this.divider) this.divide(message.id);
    this.add([message]);
    if (own || this.following) {
      this.trim(true);
      this.bottom();
      if (own && message.paged) this.toItsTop(message.id);
    } else this.miss();
  }

  // Shows a page of a text from its beginning, where the view has no room for all of it.
  toItsTop(id) {
    if (this.nodes.get(id).offsetHeight > this.node.clientHeight) this.toStart(id);
  }

  // Resolves when a message is on the page, or soon: an answer and the news of it come by different ways.
  arrival(id) {
    if (this.nodes.has(id)) return Promise.resolve();
    return new Promise((resolve) => {
      this.expected.set(id, resolve);
      setTimeout(resolve, SOON);
    });
  }

  remove(id) {
    const index = this.messages.findIndex((message) => message.id === id);
    if (index < 0) return;
    const node = this.nodes.get(id);
    const focused = node.contains(document.activeElement);
    this.messages.splice(index, 1);
    this.nodes.delete(id);
    node.remove();
    if (this.messages[index]) this.replace(this.messages[index], this.nodes.get(this.messages[index].id));
    this.chooseStop();
    if (focused) this.pane.composer.focus();
  }

  // Draws all messages again, because somebody they name has changed.
  redraw() {
    for (const message of this.messages) this.replace(message, this.nodes.get(message.id));
  }

  toNewest() {
    if (this.newer) this.show(this.channel);
    else this.bottom();
  }

  bottom() {
    this.following = true;
    this.missed = 0;
    this.settle();
    this.showJump();
    this.pane.read(this.messages.at(-1)?.id);
  }

  add(messages) {
    for (const message of messages) {
      const node = renderMessage(message, this.messages.at(-1), this.pane);
      reach(node, false);
      this.messages.push(message);
      this.nodes.set(message.id, node);
      this.list.append(node);
      if (this.pending === message.id) this.divide(message.id);
      this.expected.get(message.id)?.();
      this.expected.delete(message.id);
    }
    this.chooseStop();
    this.arriving?.();
    this.arriving = null;
  }

  replace(message, node) {
    const index = this.messages.findIndex((one) => one.id === message.id);
    const open = node.querySelector(".listbox");
    if (open && JSON.stringify(this.messages[index].parts) === JSON.stringify(message.parts)) return;
    const fresh = renderMessage(message, this.messages[index - 1], this.pane);
    this.messages[index] = message;
    this.nodes.set(message.id, fresh);
    this.stop.renew(node, fresh);
    this.chooseStop();
    this.settle();
  }

  miss() {
    this.missed += 1;
    this.showJump();
  }

  // Puts the line above the first message that is new to the reader.
  divide(id) {
    this.pending = null;
    const node = id && this.nodes.get(id);
    if (!node) {
      this.pending = id ?? null;
      return;
    }
    this.divider?.remove();
    this.divider = el("li", { class: "divider", role: "separator" }, el("span", {}, t("New")));
    node.before(this.divider);
  }

  showJump() {
    const start = this.messages.at(-1)?.id === this.pane.welcome?.at(-1);
    this.jump.hidden = (this.following || start) && !this.newer;
    this.jump.textContent = this.missed
      ? `${t("New messages: {number}", { number: this.missed })} ↓`
      : `${t("Go to the newest")} ↓`;
  }

  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.node;
    const up = scrollTop < this.top - 1;
    const atBottom = scrollHeight - scrollTop - clientHeight < AT_BOTTOM;
    this.top = scrollTop;
    if (atBottom && !this.newer && !up) {
      if (!this.following || this.missed) this.bottom();
    } else if (up && !atBottom) {
      this.following = false;
      this.showJump();
    }
    if (scrollTop < NEAR && this.older) this.fetchOlder();
    if (scrollHeight - scrollTop - clientHeight < NEAR && this.newer) this.fetchNewer();
  }

  // Stays at the newest message whatever becomes larger or smaller.
  settle() {
    if (!this.following || this.newer) return;
    this.node.scrollTop = this.node.scrollHeight;
    this.top = this.node.scrollTop;
  }

  async fetchOlder() {
    await this.fetchMore("older", { before: this.messages[0]?.id }, (messages) => {
      const anchor = this.messages[0] && this.nodes.get(this.messages[0].id);
      const offset = anchor?.getBoundingClientRect().top ?? 0;
      const nodes = messages.map((message, index) => renderMessage(message, messages[index - 1], this.pane));
      messages.forEach((message, index) => this.nodes.set(message.id, nodes[index]));
      nodes.forEach((node) => reach(node, false));
      this.list.prepend(...nodes);
      this.messages.unshift(...messages);
      this.keep(anchor, offset);
      this.trim(false);
      this.describe();
    });
  }

  async fetchNewer() {
    await this.fetchMore("newer", { after: this.messages.at(-1)?.id }, (messages) => {
      this.add(messages);
      this.trim(true);
      this.showJump();
    });
  }

  async fetchMore(side, bounds, take) {
    if (this.fetching) return;
    this.fetching = true;
    const load = this.load;
    const page = await this.pane.connection.messages(this.channel.id, bounds);
    this.fetching = false;
    if (load !== this.load || page === null) return;
    this[side] = page[side];
    this.hush();
    take(page.messages.filter((message) => !this.nodes.has(message.id)));
    this.fill();
  }

  // Fetches more while the messages do not fill the view.
  fill() {
    if (this.older && this.node.scrollTop < NEAR) this.fetchOlder();
  }

  // Takes the messages farthest from the reader off the page: the oldest, or the newest.
  trim(oldest) {
    const excess = this.messages.length - MOST;
    if (excess <= 0) return;
    const anchor = this.nodes.get((oldest ? this.messages.at(-1) : this.messages[0]).id);
    const offset = anchor.getBoundingClientRect().top;
    for (const message of oldest ? this.messages.splice(0, excess) : this.messages.splice(-excess)) {
      this.nodes.get(message.id).remove();
      this.nodes.delete(message.id);
    }
    if (oldest) this.older = true;
    else this.newer = true;
    this.keep(anchor, offset);
    this.describe();
  }

  keep(anchor, offset) {
    if (anchor && !this.following) {
      this.node.scrollTop += anchor.getBoundingClientRect().top - offset;
      this.top = this.node.scrollTop;
    }
    this.settle();
  }

  flash(id) {
    const node = this.nodes.get(id);
    if (!node) return;
    this.following = false;
    node.scrollIntoView({ block: "center" });
    this.top = this.node.scrollTop;
    node.classList.add("flash");
    this.showJump();
    this.scrolled();
  }

  describe() {
    this.start.replaceChildren();
    if (this.older || !this.channel) return;
    const { name, parent, topic, direct } = this.channel;
    this.start.append(
      el("h2", {}, parent || direct ? name : t("Welcome to {channel}!", { channel: `#${name}` })),
      el("p", {}, parent ? t("This is the start of the thread.") : t(topic)),
    );
  }
}
