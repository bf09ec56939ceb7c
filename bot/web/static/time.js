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
  if (style !== "R") {
    const local = language() === "en" ? "en-GB" : language();
    return new Intl.DateTimeFormat(local, STYLES[style] ?? STYLES.f).format(date);
  }
  const seconds = (date.getTime() - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

// Returns an element that shows a time; "R" is relative to now.
export function moment(date, style) {
  if (Number.isNaN(date.getTime())) return el("span", {}, "?");
  return el(
    "time",
    { datetime: date.toISOString(), title: written(date, "F"), dataset: { style } },
    written(date, style),
  );
}

setInterval(() => {
  for (const node of document.querySelectorAll('time[data-style="R"]')) {
    const text = written(new Date(node.dateTime), "R");
    if (node.textContent !== text) node.textContent = text;
  }
}, EVERY);
