// Times as Discord writes them, in the reader's own time zone. Relative ones are kept true.

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

// The page's language is known once its texts are there.
const language = () => document.documentElement.lang || "en";
const local = () => (language() === "en" ? "en-GB" : language());

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

function written(date, style) {
  const seconds = (date.getTime() - Date.now()) / 1000;
  if (style === "countdown" && seconds >= 0 && seconds < 3600) {
    return minutes(seconds);
  }
  if (style !== "R" && style !== "countdown") {
    return new Intl.DateTimeFormat(local(), STYLES[style] ?? STYLES.f).format(date);
  }
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

// Returns an element that shows a time; "R" is relative to now, or `past` once that time is over.
export function moment(date, style, past = null) {
  if (Number.isNaN(date.getTime())) return el("span", {}, "?");
  const text = past !== null && date <= Date.now() ? past : written(date, style);
  return el("time", { datetime: date.toISOString(), title: written(date, "F"), dataset: past === null ? { style } : { style, past } }, text);
}

// Returns an element that shows how long it is until a time, to the second within the last hour, or `past` after it.
export function countdown(date, past) {
  return moment(date, "countdown", past);
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
  const now = Date.now();
  const end = Date.parse(until);
  if (end <= now) return past;
  const ahead = stands.map((span) => span.map(Date.parse)).filter(([, ends]) => ends > now);
  const runs = left(ahead.reduce((sum, [begins, ends]) => sum - (ends - Math.max(begins, now)), end - now));
  if (!ahead.length || ahead[0][0] > now) return runs;
  const style = { weekday: "long", hour: "numeric", minute: "2-digit" };
  const time = new Intl.DateTimeFormat(local(), ahead[0][1] - now < 6 * 86_400_000 ? style : STYLES.f).format(ahead[0][1]);
  return `${runs} · ${standsUntil.replace("{time}", time)}`;
}

// Returns an element that shows a clock up to its deadline; `stands` are the beginnings and ends of when it stands.
export function standingClock(date, stands, { outOfTime: past, standsUntil }) {
  const known = { until: date.toISOString(), stands, past, standsUntil };
  return el("time", { datetime: known.until, title: written(date, "F"), dataset: { clock: JSON.stringify(known) } }, shown(known));
}

function tick() {
  for (const node of document.querySelectorAll("time[data-clock]")) {
    const text = shown(JSON.parse(node.dataset.clock));
    if (node.textContent !== text) node.textContent = text;
  }
}

function keepTrue(style) {
  for (const node of document.querySelectorAll(`time[data-style="${style}"]`)) {
    const { textContent: text } = moment(new Date(node.dateTime), style, node.dataset.past);
    if (node.textContent !== text) node.textContent = text;
  }
}

setInterval(keepTrue, EVERY, "R");
setInterval(keepTrue, 1000, "countdown");
setInterval(tick, 1000);
