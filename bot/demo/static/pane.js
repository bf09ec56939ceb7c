// One person's side of the page: a whole client, with channels, messages, members and a composer of its own.

import { Composer } from "./composer.js";
import { Connection } from "./connection.js";
import { BesideBoard } from "./beside_board.js";
import { avatar, el } from "./dom.js";
import { closeList, openList } from "./listbox.js";
import { ChannelList, MemberList, pingsIn, signOf } from "./lists.js";
import { openForm } from "./modal.js";
import { Timeline } from "./timeline.js";
import { t } from "./words.js";

const PATIENCE = 3000;

export class Pane {
  // `hooks`: went(quietly) after the person or channel has changed, followed(pane, from, to) after the pane went along to a new
  // thread, unread() when marks have changed, people(list), ended(), choose(anchor, pane), close(pane), be(person) and,
  // where there is room, beside(person).
  constructor(person, channel, hooks) {
    this.person = person;
    this.wanted = channel;
    this.hooks = hooks;
    this.people = new Map();
    this.channels = new Map();
    this.commands = [];
    this.personCommands = [];
    this.pressed = { channel: null, message: null };
    this.opened = null;
    this.stirred = 0;
    this.waiting = [];
    this.welcome = [];
    this.timeline = new Timeline(this);
    this.composer = new Composer(this);
    this.board = new BesideBoard(this);
    this.build();
    this.connection = new Connection(person, (news) => this.hear(news), (state) => this.stateChanged(state));
  }

  build() {
    this.channelList = new ChannelList((id) => this.open(id));
    this.serverName = el("h2", {});
    this.memberList = new MemberList((id, anchor) => this.about(id, anchor));
    this.title = el("h1", {});
    this.topic = el("p", { class: "topic" });
    const chooses = { "aria-haspopup": "listbox", "aria-expanded": "false", onclick: () => this.hooks.choose(this.who, this) };
    this.who = el("button", { type: "button", class: "who", ...chooses });
    this.state = el("p", { class: "state", role: "status", hidden: true });
    this.turn = el("p", { class: "turn", role: "status", hidden: true });
    this.drawer = el(
      "button",
      { type: "button", class: "drawer", "aria-label": t("Channels"), "aria-expanded": "false", onclick: () => this.toggleChannels() },
      "☰",
    );
    this.nav = el("nav", { class: "channels", "aria-label": t("Channels") }, this.serverName, this.channelList.node);
    this.chat = el(
      "div",
      { class: "chat" },
      el("header", {}, this.drawer, el("div", { class: "place" }, this.title, this.topic), this.board.toggle, this.who, this.closer()),
      this.state,
      this.timeline.node,
      this.turn,
      el("div", { class: "below" }, this.timeline.jump, this.composer.node),
    );
    this.members = el("aside", { class: "members", "aria-label": t("Members") }, el("h2", {}, t("Members")), this.memberList.node);
    this.node = el("section", { class: "pane" }, this.nav, this.chat, this.board.node, this.members);
    this.nav.addEventListener("keydown", (event) => event.key === "Escape" && this.toggleChannels(false));
    this.chat.addEventListener("pointerdown", (event) => {
      if (!this.drawer.contains(event.target)) this.toggleChannels(false);
    });
  }

  closer() {
    return el(
      "button",
      { type: "button", class: "close", "aria-label": t("Close this side"), onclick: () => this.hooks.close(this) },
      "✕",
    );
  }

  hear(news) {
    if (news.type !== "message" || news.message.author.bot) this.stir();
    const take = {
      hello: () => this.greet(news),
      people: () => this.setPeople(news.people),
      welcome: () => this.greetFirst(news.messages),
      channel: () => this.channelChanged(news.channel),
      "channel-gone": () => this.channelGone(news.channel),
      message: () => this.messageChanged(news.message),
      gone: () => this.board.gone(news.message) || (news.channel === this.channel?.id && this.timeline.remove(news.message)),
    };
    take[news.type]?.();
  }

  greet(news) {
    const again = Boolean(this.me);
    this.commands = news.commands;
    this.personCommands = news.personCommands;
    this.serverName.textContent = news.server.name;
    this.channels = new Map(news.channels.map((channel) => [channel.id, channel]));
    this.welcome = news.welcome;
    this.me = news.people.find((person) => person.id === news.me);
    this.setPeople(news.people);
    this.node.dataset.person = this.me.name;
    this.node.setAttribute("aria-label", t("{name}'s side", this.me));
    this.who.replaceChildren(avatar(this.me), el("span", {}, this.me.name), el("span", { "aria-hidden": "true" }, "⌄"));
    this.who.setAttribute("aria-label", t("You are {name}. Be another person", this.me));
    if (again && this.channels.has(this.channel?.id)) {
      this.channel = this.timeline.channel = this.channels.get(this.channel.id);
      this.timeline.refresh();
      this.listChannels();
    } else this.open(this.channels.has(this.wanted) ? this.wanted : this.channels.keys().next().value, { quietly: true });
  }

  // Takes the messages that a newcomer reads first where they were posted after the page was opened.
  greetFirst(messages) {
    this.welcome = messages;
    if (this.pressed.channel === null && this.composer.idle) this.goHome();
  }

  setPeople(people) {
    this.people = new Map(people.map((person) => [person.id, person]));
    this.memberList.show(people);
    this.hooks.people(people);
  }

  stateChanged(state) {
    this.node.classList.toggle("lost", state === "lost");
    this.state.hidden = state === "open";
    this.state.textContent = state === "lost" ? t("The connection is lost. Trying again…") : "";
    if (state === "ended") this.hooks.ended();
  }

  channelChanged(channel) {
    const known = this.channels.get(channel.id);
    this.channels.set(channel.id, channel);
    if (this.channel?.id === channel.id) {
      this.channel = this.timeline.channel = channel;
      this.showTitle();
    }
    this.listChannels();
    if (!known && channel.parent) this.threadOpened(channel);
  }

  channelGone(id) {
    const gone = this.channels.get(id);
    this.channels.delete(id);
    if (this.channel?.id === id) this.open(gone?.parent ?? this.channels.keys().next().value);
    this.listChannels();
  }

  // Goes along into a thread that was opened on a card that names this person. Other threads are of interest once they
  // have a message: then it is known who plays there.
  threadOpened(thread) {
    this.opened = thread.id;
    const card = this.timeline.messages.find((message) => message.id === thread.id);
    if (this.channel?.id === thread.parent && this.composer.idle && card?.concerns) this.follow(thread.id);
  }

  // Goes along into the newest thread if this person plays there, and if the last thing they pressed stands where they
  // look: in its channel, or in the thread of a match that is over, as by a rematch.
  async goAlong(thread) {
    const { channel, pressed } = this;
    const near = thread.parent && [channel.id, channel.parent].includes(thread.parent);
    // A cup begins several matches at once: the reader chooses.
    const several = /^cup\b/.test(pressed.used);
    if (this.opened !== thread.id || !near || several || pressed.channel !== channel.id || !this.composer.idle) return;
    const [here, there] = await Promise.all([this.board.in(channel.id), this.board.in(thread.id)]);
    const stayed = this.channel.id === channel.id && this.pressed === pressed && this.composer.idle;
    const busy = channel.parent && !here.over;
    if (this.opened !== thread.id || !stayed || busy || there.match === null) return;
    // A match that begins from the start page begins on its board, where there is room for one thing only.
    if (pressed.message === this.welcome[0]) this.board.openAt = thread.id;
    this.follow(thread.id);
  }

  follow(thread) {
    const from = this.channel.id;
    this.opened = null;
    this.open(thread);
    this.hooks.followed(this, from, thread);
  }

  // Tells whose turn it is where it is another person's: people who came alone play both sides.
  showTurn() {
    const called = this.timeline.messages.findLast((message) => message.calls.length)?.calls ?? [];
    const person = called.includes(this.me.id) ? null : this.people.get(called[0]);
    this.turn.hidden = !person;
    if (!person) return;
    const offer = (label, act) => el("button", { type: "button", class: "button primary", onclick: () => act(person.key) }, label);
    this.turn.replaceChildren(
      el("span", {}, t("It's {name}'s turn: play as {name}.", person)),
      offer(t("Play as {name}", person), this.hooks.be),
      ...(this.hooks.beside && !document.querySelector(".two") ? [offer(t("Show {name} beside you", person), this.hooks.beside)] : []),
    );
  }

  // Goes to the first messages of the demo.
  goHome() {
    const home = [...this.channels.values()][0];
    if (this.welcome.length) this.open(home.id, { at: this.welcome[0] });
    else this.open(home.id);
  }

  messageChanged(message) {
    if (message.channel === this.channel?.id) {
      if (document.hidden && message.pings && !this.timeline.nodes.has(message.id)) {
        this.channel.pings += 1;
        this.hooks.unread();
      }
      this.timeline.receive(message);
      this.board.hear(message);
      return;
    }
    const channel = this.channels.get(message.channel);
    if (channel) this.goAlong(channel);
    if (channel?.parent === this.channel?.id) this.board.find();
    const known = message.id <= (channel?.newest ?? "");
    if (!channel || known || message.opened || message.author.id === this.me.id) return;
    channel.newest = message.id;
    channel.unread += 1;
    channel.pings += Number(message.pings);
    this.listChannels();
  }

  // Shows a channel or thread, at a message where one is given.
  open(id, { at = null, quietly = false, back = false } = {}) {
    const channel = this.channels.get(id);
    if (!channel) return;
    closeList();
    this.toggleChannels(false);
    if (!quietly) this.pressed = { channel: "", message: null, used: "" };
    this.channel = channel;
    this.showTitle();
    this.timeline.show(channel, { at, back });
    this.board.find();
    this.listChannels();
    this.hooks.went(quietly);
  }

  showTitle() {
    const { name, parent, topic } = this.channel;
    const home = parent && this.channels.get(parent);
    this.title.replaceChildren(
      ...(home
        ? [
            el(
              "span",
              { class: "home" },
              el("button", { type: "button", class: "link", onclick: () => this.open(parent) }, `# ${home.name}`),
              " › ",
            ),
          ]
        : [`${signOf(this.channel)} `]),
      name,
    );
    this.topic.textContent = t(topic);
    this.members.hidden = this.channel.direct;
    this.composer.describe(t("Message {place}, or / for commands", { place: home ? name : `${signOf(this.channel)}${name}` }));
  }

  listChannels() {
    this.channelList.show([...this.channels.values()], this.channel?.id);
    this.drawer.classList.toggle("marked", this.unread > 0);
    this.hooks.unread();
  }

  // How many messages of other channels name this person, or whether any are unread (0.5).
  get unread() {
    const others = [...this.channels.values()].filter((channel) => channel.id !== this.channel?.id);
    return pingsIn(others) || (others.some((channel) => channel.unread) ? 0.5 : 0);
  }

  // How many messages that nobody has looked at name this person.
  get pings() {
    return pingsIn([...this.channels.values()]);
  }

  // Takes note that everything in the channel up to a message has been read.
  read(id) {
    if (!id || document.hidden || !this.channel || this.node.hidden) return;
    const named = this.channel.pings > 0;
    this.channel.unread = this.channel.pings = 0;
    this.channel.read = this.channel.newest = id;
    this.connection.read(this.channel.id, id);
    if (named) this.hooks.unread();
  }

  // Shows the channels where they are hidden, or hides them again; the focus goes along.
  toggleChannels(open = !this.node.classList.contains("browsing")) {
    if (open === this.node.classList.contains("browsing")) return;
    const held = this.nav.contains(document.activeElement);
    this.node.classList.toggle("browsing", open);
    this.drawer.setAttribute("aria-expanded", String(open));
    if (open) this.channelList.focus();
    else if (held) this.drawer.focus();
  }

  act(what, details = {}) {
    return this.connection.act(what, { channel: this.channel.id, ...details });
  }

  // Asks the bot for something, and opens the form it may answer with.
  async interact(what, details) {
    this.pressed = { channel: this.channel.id, message: details.message ?? null, used: String(details.control ?? details.path ?? "") };
    const outcome = await this.act(what, details);
    if (outcome.message) await this.timeline.arrival(outcome.message);
    if (outcome.form) {
      openForm(this, outcome.form, (fields) => this.interact("form", { form: outcome.interaction, fields }));
    }
    return outcome;
  }

  // Uses a control, and waits for what comes of it: the bot may only say at first that it has heard.
  async press(message, control, values) {
    const began = performance.now();
    const outcome = await this.interact("control", { message: message.id, control, values });
    if (outcome.deferred && this.stirred < began) {
      await new Promise((resolve) => {
        this.waiting.push(resolve);
        setTimeout(resolve, PATIENCE);
      });
    }
    return outcome;
  }

  // Takes note that the bot has done something this person sees.
  stir() {
    this.stirred = performance.now();
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  async dismiss(message) {
    await this.act("dismiss", { message: message.id });
  }

  // Opens what can be done with somebody.
  about(id, anchor) {
    const person = this.people.get(id);
    if (!person) return;
    const options = [
      { value: "mention", label: t("Mention {name}", person) },
      ...this.personCommands.map((name) => ({ value: `command:${name}`, label: name, description: "Tavoliere" })),
    ];
    openList(anchor, {
      title: person.name,
      options,
      take: ([value]) => {
        if (value === "mention") {
          this.composer.leave(`<@${id}> `);
          this.composer.focus();
        } else this.askAbout(id, value.slice(8));
      },
    });
  }

  async askAbout(id, name) {
    const outcome = await this.interact("person-command", { person: id, name });
    if (outcome.failed) this.composer.say(t(outcome.failed));
  }

  get spoiler() {
    return t("Spoiler");
  }

  mention(id) {
    const person = this.people.get(id);
    if (!person) return el("span", { class: "mention" }, t("(unknown person)"));
    return el(
      "button",
      {
        type: "button",
        class: id === this.me.id ? "mention me" : "mention",
        onclick: (event) => this.about(id, event.currentTarget),
      },
      `@${person.name}`,
    );
  }

  channelLink(id) {
    const channel = this.channels.get(id);
    if (!channel) return el("span", { class: "mention" }, t("(unknown channel)"));
    const name = channel.parent ? channel.name : `${signOf(channel)}${channel.name}`;
    return el("button", { type: "button", class: "mention", onclick: () => this.open(id) }, name);
  }

  commandLink(name) {
    const begin = () => this.composer.begin(name);
    return el("button", { type: "button", class: "mention", onclick: begin }, `/${name}`);
  }

  jump(channel, message) {
    this.open(channel, { at: message ?? null });
  }

  setInert(inert) {
    for (const part of [this.nav, this.chat, this.members]) part.inert = inert;
  }

  close() {
    this.connection.close();
    this.node.remove();
  }
}
