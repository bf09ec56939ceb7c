// One person's line to the server: what happens arrives over a socket that is opened again whenever it breaks, what the
// person does is sent by itself.

import { LANGUAGE, t } from "./words.js";

const RETRY = [300, 1000, 2000, 5000];

export class Connection {
  // `heard` is called with everything that happens, `changed` with "open", "lost" or "ended".
  constructor(person, heard, changed) {
    this.person = person;
    this.heard = heard;
    this.changed = changed;
    this.attempts = 0;
    this.closed = false;
    this.unsent = new Map();
    this.connect();
  }

  connect() {
    const address = new URL(`/live?as=${encodeURIComponent(this.person)}&lang=${LANGUAGE}`, location.href);
    address.protocol = "ws:";
    this.socket = new WebSocket(address);
    this.socket.addEventListener("open", () => {
      this.attempts = 0;
      this.changed("open");
      for (const [channel, message] of this.unsent) this.read(channel, message);
    });
    this.socket.addEventListener("message", (event) => this.take(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.lose());
  }

  take(news) {
    if (news.type === "end") {
      this.closed = true;
      this.changed("ended");
    } else this.heard(news);
  }

  lose() {
    if (this.closed) return;
    this.changed("lost");
    const wait = RETRY[Math.min(this.attempts, RETRY.length - 1)];
    this.attempts += 1;
    this.timer = setTimeout(() => this.connect(), wait);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }

  // Tells how far the person has read in a channel.
  read(channel, message) {
    if (this.socket.readyState === WebSocket.OPEN) {
      this.unsent.delete(channel);
      this.socket.send(JSON.stringify({ channel, read: message }));
    } else this.unsent.set(channel, message);
  }

  // Does something and returns what came of it; `failed` says why it did not.
  async act(what, details = {}) {
    try {
      const response = await fetch(`/do/${what}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ as: this.person, ...details }),
      });
      return response.ok ? await response.json() : { failed: t("This was not understood.") };
    } catch {
      return { failed: t("There is no connection. Please try again in a moment.") };
    }
  }

  // Returns a page of messages, or null where there is no connection.
  async messages(channel, bounds = {}) {
    try {
      const query = new URLSearchParams({ as: this.person, channel, ...bounds });
      const response = await fetch(`/messages?${query}`);
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }
}
