// Begins the page: reads what the server wrote into it, and shows the match.

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
place.replaceWith(page.node);
page.open();
