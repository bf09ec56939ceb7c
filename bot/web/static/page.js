// Begins the page: reads what the server wrote into it, and shows the match. Asks for the match at once, while the browser
// still loads the modules that show it.

const place = document.querySelector("#board");
const { subject, words, base, guest, watch } = JSON.parse(place.dataset.page);
const width = Math.round(place.querySelector(".board").clientWidth * devicePixelRatio);
const asked = performance.now();
// What a page without an account carries, it carries in its own address.
const there = new URLSearchParams(location.search);
const carried = guest ? Object.fromEntries(["moves", "level", "day"].filter((name) => there.has(name)).map((name) => [name, there.get(name)])) : null;
const first = Object.assign(fetch(`${base}/api/${subject}?${new URLSearchParams({ width, ...carried })}`), { asked });
// Where it fails, the page says so once it is there.
first.then(() => (first.came = performance.now()), () => null);

const [{ MatchPage }, { el }] = await Promise.all([import("./match.js"), import("./dom.js")]);
const page = new MatchPage({
  subject,
  words,
  base,
  first,
  carried,
  watch,
  go(event, path) {
    if (!event) location.assign(`${base}/${path}`);
  },
});
// The demo, guests and people who watch have no sessions.
const leave = base || guest || watch ? "" : el("form", { class: "leave", method: "post", action: "/leave" }, el("button", { class: "button quiet" }, words.leave));
place.replaceWith(page.node, leave);
page.open();
