// Times as Discord writes them, in the reader's own time zone. Relative ones are kept true, by the server's time where that
// is known: the device's may be wrong.

import { el } from "./dom.js";

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const UNITS = [
  ["year", 31536000],
  ["month", 2592000],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const EVERY = 10_000;
// How far the time may be put right at each step while clocks tick, in milliseconds, and from where on all at once.
const GENTLY = 100;
const AT_ONCE = 5000;

// The server's time is `performance.now() + ahead`; `right` is what `ahead` is to become.
let ahead = null;
let right = null;

export const now = () => (ahead === null ? Date.now() : performance.now() + ahead);

// Takes the server's time from an answer, with when it was asked for and when it came: it was that time in between.
export function measure(time, asked, came) {
  const [least, most] = [time - came, time - asked];
  right = right === null || ahead === null ? (least + most) / 2 : Math.min(most, Math.max(least, ahead));
  if (ahead === null || Math.abs(right - ahead) > AT_ONCE) ahead = right;
}

function putRight() {
  if (ahead !== null) ahead += Math.max(-GENTLY, Math.min(GENTLY, right - ahead));
}

// The page's language is known once its texts are there.
const language = () => document.documentElement.lang || "en";
const local = () => (language() === "en" ? "en-GB" : language());

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function written(date, style) {
  const seconds = (date.getTime() - now()) / 1000;
  if (style !== "R") {
    return new Intl.DateTimeFormat(local(), STYLES[style] ?? STYLES.f).format(date);
  }
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

// Returns an element that shows a time; "R" is relative to now.
export function moment(date, style) {
  if (Number.isNaN(date.getTime())) return el("span", {}, "?");
  return el("time", { datetime: date.toISOString(), title: written(date, "F"), dataset: { style } }, written(date, style));
}

// Returns what a clock shows that still has so much time: whole days from two on, whole hours, or minutes and seconds.
function left(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 3600) return minutes(seconds);
  const [unit, size] = seconds < 2 * 86400 ? ["hour", 3600] : ["day", 86400];
  return new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(Math.floor(seconds / size));
}

// Returns what a clock shows that stands in some spans of time, and until when it stands.
function shown({ until, stands, past, standsUntil }) {
  const at = now();
  const end = Date.parse(until);
  if (end <= at) return past;
  const pauses = stands.map((span) => span.map(Date.parse)).filter(([, ends]) => ends > at);
  const runs = left(pauses.reduce((sum, [begins, ends]) => sum - (ends - Math.max(begins, at)), end - at));
  if (!standsUntil || !pauses.length || pauses[0][0] > at) return runs;
  const style = { weekday: "long", hour: "numeric", minute: "2-digit" };
  const time = new Intl.DateTimeFormat(local(), pauses[0][1] - at < 6 * 86_400_000 ? style : STYLES.f).format(pauses[0][1]);
  return `${runs} · ${standsUntil.replace("{time}", time)}`;
}

// Returns an element that shows a clock up to its deadline; `stands` are the beginnings and ends of when it stands.
// `past` is what it shows after it, and `standsUntil` how it says until when it stands; without that it does not.
export function clock(date, stands, past, standsUntil) {
  const known = { until: date.toISOString(), stands, past, standsUntil };
  return el("time", { datetime: known.until, title: written(date, "F"), dataset: { clock: JSON.stringify(known) } }, shown(known));
}

function tick() {
  for (const node of document.querySelectorAll("time[data-clock]")) {
    const text = shown(JSON.parse(node.dataset.clock));
    if (node.textContent !== text) node.textContent = text;
  }
}

function keepTrue() {
  for (const node of document.querySelectorAll('time[data-style="R"]')) {
    const text = written(new Date(node.dateTime), "R");
    if (node.textContent !== text) node.textContent = text;
  }
}

setInterval(keepTrue, EVERY);
setInterval(() => {
  putRight();
  tick();
}, 250);
