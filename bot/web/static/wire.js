// The line to the server: data by HTTP, news of changes by a WebSocket that is opened again whenever it breaks.

const RETRY = [300, 1000, 2000, 5000];
const ENDED = 4401;
const TOO_MANY = 4429;
const TRIES = 6;

export class Wire {
  // `base` is the address of the interface; `changed` is called with "open", "lost", "ended" or "crowded".
  constructor(base, changed) {
    this.base = base;
    this.changed = changed;
    this.attempts = 0;
  }

  address(path, query = {}) {
    const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== null && value !== undefined));
    return `${this.base}/api/${path}${asked.size ? `?${asked}` : ""}`;
  }

  // Returns data, or null where there is no connection. `begun` is the same request, where it is under way already.
  async get(path, query = {}, begun = null) {
    try {
      return await this.answer(await (begun ?? fetch(this.address(path, query))));
    } catch {
      return null;
    }
  }

  // Does something once, however often it has to be sent: the server knows a repetition by its number. Returns null
  // where there is no connection.
  async post(path, data) {
    const body = JSON.stringify({ request: crypto.randomUUID(), ...data });
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      if (attempt) await new Promise((done) => setTimeout(done, RETRY[Math.min(attempt - 1, RETRY.length - 1)]));
      try {
        const headers = { "Content-Type": "application/json" };
        return await this.answer(await fetch(this.address(path), { method: "POST", headers, body }));
      } catch {
        this.changed("lost");
      }
    }
    return null;
  }

  async answer(response) {
    if (response.status === 401) {
      this.close();
      this.changed("ended");
      return { came: "refused" };
    }
    return await response.json();
  }

  // Listens for versions of a match or puzzle until the line is closed.
  listen(subject, heard) {
    const address = new URL(this.address(`${subject}/live`), location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = (this.socket = new WebSocket(address));
    socket.addEventListener("message", (event) => {
      this.attempts = 0;
      this.changed("open");
      heard(JSON.parse(event.data).version);
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.socket) return;
      if (event.code === ENDED || event.code === TOO_MANY) this.changed(event.code === ENDED ? "ended" : "crowded");
      else {
        this.changed("lost");
        const wait = RETRY[Math.min(this.attempts, RETRY.length - 1)];
        this.attempts += 1;
        this.timer = setTimeout(() => this.listen(subject, heard), wait);
      }
    });
  }

  close() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
