// The line to the server: data by HTTP, news of changes by a WebSocket that is opened again whenever it breaks. `state` is
// how it stands, for the whole page: "open", "lost", "unknown" while nobody can tell whether something was carried out,
// "ended" or "crowded".

import { measure } from "./time.js";

const RETRY = [300, 1000, 2000, 5000];
const ENDED = 4401;
const TOO_MANY = 4429;
// Milliseconds without a word from the server, which speaks every five seconds, after which a line is dead.
const SILENT = 12_000;
// Milliseconds in which an answer has to come.
const PATIENCE = 20_000;

export class Wire {
  // `base` is the address of the interface; `changed` is called with each new state. `carried` is what a page without an
  // account brings to each request, in its own address: nobody else keeps it, and there is no news of it.
  constructor(base, changed, carried = null) {
    Object.assign(this, { base, changed, carried, state: "open", over: null, deaf: false, attempts: 0 });
    this.unanswered = new Map(); // What is being sent again, and why.
    this.asking = new Set();
    this.pauses = new Set();
  }

  settle() {
    const why = [...this.unanswered.values()];
    const state = this.over ?? (why.includes("unknown") ? "unknown" : this.deaf || why.length ? "lost" : "open");
    if (state === this.state) return;
    this.state = state;
    this.changed(state);
  }

  address(path, query = {}) {
    const asked = new URLSearchParams(Object.entries({ ...query, ...this.carried }).filter(([, value]) => value !== null && value !== undefined));
    return `${this.base}/api/${path}${asked.size ? `?${asked}` : ""}`;
  }

  // Returns data, or null where there is no connection. `begun` is the same request, where it is under way already.
  async get(path, query = {}, begun = null) {
    try {
      return await this.fetch(path, query, {}, begun);
    } catch {
      return null;
    }
  }

  // Does something once, however often it has to be sent: the server knows a repetition by its number. Returns null where
  // nobody will answer any more.
  async post(path, data) {
    const body = JSON.stringify({ request: crypto.randomUUID(), ...data, ...this.carried });
    const headers = { "Content-Type": "application/json" };
    for (let attempt = 0; this.over !== "ended"; attempt += 1) {
      if (attempt) await this.pause(attempt);
      try {
        const answer = await this.fetch(path, {}, { method: "POST", headers, body });
        const lost = this.unanswered.get(body);
        const restarting = answer.came === "restarting";
        const doubtful = answer.came === "unknown" || (lost && answer.came === "unavailable");
        if (!restarting && !doubtful) return this.answered(body, answer);
        this.unanswered.set(body, doubtful ? "unknown" : (lost ?? "lost"));
      } catch {
        if (!this.unanswered.has(body)) this.unanswered.set(body, "lost");
      }
      this.settle();
    }
    return this.answered(body, null);
  }

  answered(body, answer) {
    this.unanswered.delete(body);
    this.settle();
    return answer;
  }

  async fetch(path, query, options, begun = null) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), PATIENCE);
    this.asking.add(stop);
    try {
      const headers = { "Accept-Language": document.documentElement.lang, ...options.headers };
      const asked = begun?.asked ?? performance.now();
      const response = await (begun ?? fetch(this.address(path, query), { ...options, headers, signal: stop.signal }));
      const came = begun?.came ?? performance.now();
      if (response.status !== 401) {
        const answer = await response.json();
        if (answer.now) measure(answer.now, asked, came);
        if (answer.carried) this.carry(answer.carried);
        return answer;
      }
      this.end("ended");
      return { came: "refused" };
    } finally {
      clearTimeout(timer);
      this.asking.delete(stop);
    }
  }

  carry(carried) {
    this.carried = carried;
    history.replaceState(null, "", `?${new URLSearchParams(carried)}`);
  }

  // Waits before something is tried again: a little longer each time, or until there is a sign of life.
  pause(attempt) {
    return new Promise((done) => {
      const go = () => this.pauses.delete(go) && done();
      this.pauses.add(go);
      setTimeout(go, RETRY[Math.min(attempt, RETRY.length) - 1]);
    });
  }

  hurry() {
    for (const go of [...this.pauses]) go();
  }

  // Listens for versions of a match or puzzle until the line is closed. `heard` is called with each, and without one
  // when the page has to look by itself: it was away, or there is a network again.
  listen(subject, heard) {
    Object.assign(this, { subject, heard });
    this.watch = setInterval(() => this.socket && Date.now() - this.last > SILENT && this.renew(), 1000);
    const leave = (this.leave = new AbortController());
    const on = (target, type, work) => target.addEventListener(type, work, { signal: leave.signal });
    on(window, "online", () => this.renew());
    on(window, "offline", () => this.lose());
    on(window, "pageshow", (event) => event.persisted && this.renew());
    on(document, "visibilitychange", () => !document.hidden && this.look());
    this.connect();
  }

  connect() {
    if (this.carried) {
      this.deaf = false; // Nothing speaks to it: each answer says for itself whether there is a network.
      return this.settle();
    }
    const address = new URL(this.address(`${this.subject}/live`), location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = (this.socket = new WebSocket(address));
    this.last = Date.now();
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      this.last = Date.now();
      this.attempts = 0;
      if (this.deaf) this.hurry();
      this.deaf = false;
      this.settle();
      this.heard(JSON.parse(event.data).version);
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket !== this.socket) return;
      if (code === ENDED || code === TOO_MANY) this.end(code === ENDED ? "ended" : "crowded");
      else this.retry();
    });
  }

  lose() {
    this.deaf = true;
    this.settle();
  }

  retry() {
    this.lose();
    this.timer = setTimeout(() => this.connect(), RETRY[Math.min(this.attempts, RETRY.length - 1)]);
    this.attempts += 1;
  }

  // Gives up a line from which nothing comes, with all that waits for an answer on it, and begins another one.
  renew() {
    if (this.over) return;
    this.hang();
    for (const stop of [...this.asking]) stop.abort();
    this.attempts = 0;
    this.retry();
    this.look();
  }

  look() {
    this.hurry();
    if (!this.over) this.heard(null);
  }

  end(over) {
    this.over ??= over;
    this.close();
    this.settle();
  }

  hang() {
    clearTimeout(this.timer);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  close() {
    clearInterval(this.watch);
    this.leave?.abort();
    this.hang();
    this.hurry();
  }
}
