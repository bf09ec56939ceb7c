// What calls a person to a match: the tab's title, a sound when it is their turn and in the last half minute of a live
// match, and their clock, which turns amber and red and says so once each. The sound and the countdown in the title are
// off by default in slow matches; each device remembers.

import { fill } from "./display.js";
import { now } from "./time.js";

const KEY = "tavoliere-sound";
const AMBER = 60_000;
const LAST = 30_000;
const RED = 20_000;
const NEAR = 5000;
const TURN = [660, 880];
const SHORT = [880, 880, 880];
// Milliseconds that a browser has to let the page sound.
const SOON = 300;

export class Signals {
  // `page` is the match.
  constructor(page) {
    Object.assign(this, { page, state: null, said: new Set(), title: "" });
    // Browsers let a page sound only after the person has used it.
    addEventListener("pointerdown", () => this.audio?.resume(), { capture: true });
  }

  get on() {
    return this.chosen ?? Boolean(this.state?.live);
  }

  // What was chosen on this device, undefined if nothing was; a browser may keep nothing.
  get chosen() {
    try {
      return this.kept ?? { on: true, off: false }[localStorage.getItem(KEY)];
    } catch {
      return this.kept;
    }
  }

  choose(on) {
    this.kept = on;
    try {
      localStorage.setItem(KEY, on ? "on" : "off");
    } catch {
      // It holds until the page is closed.
    }
  }

  // Returns the button that switches the sound and the countdown on and off, made by `button`.
  button(button) {
    const made = button("sound", this.page.words.sound, () => {
      this.choose(!this.on);
      if (this.on) this.sound(TURN);
      this.page.show();
    });
    made.setAttribute("aria-pressed", String(this.on));
    return made;
  }

  // Takes a state of the match; a turn that came while the page was open sounds.
  take(state) {
    const before = this.state;
    this.state = state;
    if (before?.ply !== state.ply) this.said.clear();
    if (before && !before.turn && state.turn && this.on) this.sound(TURN);
    this.retitle();
    this.tick();
    this.watch ??= setInterval(() => this.tick(), 250);
  }

  retitle(time = "") {
    const { state } = this;
    const title = [time, state.turn && !time && "●", `${state.title} · Tavoliere`].filter(Boolean).join(" ");
    if (title !== document.title) document.title = title;
  }

  // Colours the clock that runs, and says once each that it runs out.
  tick() {
    const { page, state } = this;
    if (!state) return;
    const stands = ([begins, ends]) => Date.parse(begins) <= now() && now() < Date.parse(ends);
    const mover = state.players.find((player) => player.toMove && player.until && !player.stands.some(stands));
    const left = mover && !state.over ? Date.parse(mover.until) - now() : Infinity;
    const level = left <= RED ? "red" : left <= AMBER ? "amber" : "";
    for (const clock of page.people.querySelectorAll(".clock")) {
      const mine = clock.closest(".to-move") ? level : "";
      if (clock.dataset.level !== mine) clock.dataset.level = mine;
    }
    if (!mover?.me || left === Infinity) return this.retitle();
    const last = this.on && state.live && left <= LAST && left > 0;
    this.at(AMBER, left, () => page.voice.announce(page.words.minuteLeft));
    this.at(RED, left, () => page.voice.announce(fill(page.words.secondsLeft, { seconds: RED / 1000 })));
    this.at(LAST, left, () => last && this.sound(SHORT));
    this.retitle(last ? `0:${String(Math.round(left / 1000)).padStart(2, "0")}` : "");
  }

  // Does something once in a turn, when so much time is left.
  at(when, left, work) {
    if (left > when || left < when - NEAR || this.said.has(when)) return;
    this.said.add(when);
    work();
  }

  // Plays short tones, one after the other, now or never: what a browser holds back until the person uses the page would
  // come late, and all at once.
  async sound(tones) {
    const audio = (this.audio ??= new AudioContext());
    if (audio.state !== "running") await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, SOON))]);
    if (audio.state !== "running") return;
    tones.forEach((pitch, at) => {
      const begins = audio.currentTime + at * 0.16;
      const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(0.15, begins);
      loudness.gain.exponentialRampToValueAtTime(0.001, begins + 0.14);
      tone.connect(loudness).connect(audio.destination);
      tone.start(begins);
      tone.stop(begins + 0.15);
    });
  }

  close() {
    clearInterval(this.watch);
    this.audio?.close();
  }
}
