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

function written(date, style) {
  const seconds = (date.getTime() - Date.now()) / 1000;
  if (style === "countdown" && seconds >= 0 && seconds < 3600) {
    return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  }
  if (style !== "R" && style !== "countdown") {
    const local = language() === "en" ? "en-GB" : language();
    return new Intl.DateTimeFormat(local, STYLES[style] ?? STYLES.f).format(date);
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

function keepTrue(style) {
  for (const node of document.querySelectorAll(`time[data-style="${style}"]`)) {
    const { textContent: text } = moment(new Date(node.dateTime), style, node.dataset.past);
    if (node.textContent !== text) node.textContent = text;
  }
}

setInterval(keepTrue, EVERY, "R");
setInterval(keepTrue, 1000, "countdown");
