// Begins the page: reads what the server wrote into it, and shows the match.

import { el } from "./dom.js";
import { MatchPage } from "./match.js";

const place = document.querySelector("#board");
const { subject, words, base } = JSON.parse(place.dataset.page);
const page = new MatchPage({
  subject,
  words,
  base,
  go(event, path) {
    if (!event) location.assign(`${base}/${path}`);
  },
});
// The demo has no sessions.
const leave = base ? "" : el("form", { class: "leave", method: "post", action: "/leave" }, el("button", { class: "button quiet" }, words.leave));
place.replaceWith(page.node, leave);
page.open();
