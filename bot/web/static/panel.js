// What stands beside the board: the players with their clocks, what happened, offers, and what else can be done.

import { ask, open, plain } from "./display.js";
import { el } from "./dom.js";
import { markdown } from "./markdown.js";
import { clock } from "./time.js";

// What names and links in Discord's Markdown lead to: `people` are names by ids.
export const named = (people = {}) => ({
  mention: (id) => el("strong", {}, people[id] ?? "?"),
  channelLink: () => "",
  commandLink: (command) => `/${command}`,
  spoiler: "",
});

// Returns a bar for each player, with their clock: a place of its own, as wide as the longest time, so that nothing moves.
export function people(state, words) {
  const timed = state.players.some(({ until, left }) => until || left);
  const bar = ({ seat, name, seatName, me, toMove, dropped, won, until, stands, left }) => {
    const standing = until && stands.length > 0 && !state.live;
    const time = until ? clock(new Date(until), stands, words.outOfTime, standing ? words.standsUntil : "") : left;
    const place = me && name !== words.me ? `${seatName} · ${words.me}` : name === seatName ? "" : seatName;
    return el(
      "li",
      { class: [toMove && "to-move", dropped && "dropped", won && "won"].filter(Boolean).join(" "), dataset: { key: String(seat) } },
      el("span", { class: "who" }, el("span", { class: "name", title: name }, name), el("span", { class: "seat" }, place)),
      toMove && el("span", { class: "unseen" }, words.toMove),
      won && el("span", { class: "star", "aria-hidden": "true" }, "★"),
      timed && el("span", { class: standing ? "clock standing" : "clock" }, time),
    );
  };
  return state.players.length ? [el("ul", { class: state.live ? "live" : "" }, state.players.map(bar))] : [];
}

// Returns how a match has ended for the person.
export function ending({ end }) {
  if (!end) return [];
  const { outcome, headline, first, rating } = end;
  return [el("div", { class: "end", dataset: { outcome } }, el("h2", {}, headline), rating && el("p", { class: "rating" }, rating), first && el("p", { class: "first" }, plain(first, true)))];
}

// Returns what happened last and how the match stands.
export function told(state) {
  return [el("div", { class: state.over ? "status over" : "status" }, markdown(state.status, named(state.people)))];
}

// Returns the offers that wait for an answer; `give` takes an offer and an answer to it.
export function offers(state, give) {
  return state.offers.map((offer) => {
    const button = ({ answer, label }) =>
      el("button", { type: "button", class: answer === "accept" ? "button primary" : "button", dataset: { key: `${answer} ${offer.id}` }, onclick: () => give(offer, answer) }, label);
    return el("div", { class: "offer", dataset: { key: offer.id } }, el("p", {}, offer.words), el("div", { class: "decide" }, offer.answers.map(button)));
  });
}

// How many ways on from the end are shown beside the first one.
const TWO_MORE = 2;

// Returns the buttons for everything beside moving. What has been possible keeps its place while it is not, so that no
// other button comes under a finger. After the end the first is the way on, two more follow, and the rest is under More.
export function controls(page) {
  const { state, words } = page;
  const button = (key, label, work, kind = "quiet") =>
    el("button", { type: "button", class: `button ${kind}`, dataset: { key }, "aria-disabled": work ? null : "true", onclick: work }, label);
  const possible = new Set(state.acts.map(({ act }) => act));
  const known = page.acts[Number(state.over)];
  for (const { act, label } of state.acts) known.set(act, label);
  const first = state.over ? [...known][0]?.[0] : null;
  const acts = [...known].map(([act, label]) =>
    button(act, label, possible.has(act) ? () => press(page, act) : null, act === first ? "primary" : "quiet"),
  );
  const turn = () => {
    page.flip = (page.flip + 1) % state.players.length;
    page.moves.leave();
    page.refresh();
  };
  const looks = [
    state.players.length ? button("flip", words.flip, turn) : null,
    button("letters", state.letters ? words.asPicture : words.asText, () => readAs(page, !state.letters)),
    button("rules", words.rules, () => rules(page)),
    !state.over && state.players.length && !page.wire.carried && !page.watch ? page.signals.button(button) : null,
  ].filter(Boolean);
  if (!state.over || page.watch) return [...looks, ...acts];
  const shown = acts.splice(0, 1 + TWO_MORE);
  const more = button("more", words.more, () => {
    page.more = !page.more;
    page.show();
  });
  more.setAttribute("aria-expanded", String(page.more));
  return [...shown, more, ...(page.more ? [...acts, ...looks] : [])];
}

// What is done only once the person has said that they mean it, and how its button is drawn.
const ASKED = { resign: "danger", close: "danger", share: "primary" };

export async function confirm(page, act, asked = act) {
  const { words } = page;
  const yes = { value: "yes", label: words[`${asked}Yes`], kind: ASKED[asked] };
  if (await ask(words[`${asked}Question`], [yes], words[`${asked}No`] ?? words.resignNo)) await page.act(act);
}

// Does something, once the person has said that they mean it, or how long a pause they want.
async function press(page, act) {
  const { words, state } = page;
  if (act in ASKED) return confirm(page, act);
  if (act !== "pause") return page.act(act);
  const days = state.pause ? await ask(state.pause.question, state.pause.days, words.shareNo) : 0;
  return days === null ? null : page.act(act, { days: Number(days) });
}

// Shows the board in letters, or as a picture.
async function readAs(page, letters) {
  page.letters = Number(letters);
  await page.refresh();
  if (page.moves.number !== null) await page.moves.go(page.moves.number);
}

async function rules(page) {
  const found = await page.wire.get(`${page.subject}/rules`);
  if (found?.came !== "done") {
    page.refused(found);
    return;
  }
  const { name, summary } = page.state.game;
  const pages = found.pages.map(({ title, text }) => el("section", {}, el("h3", {}, title), markdown(text, named())));
  open(name, page.words.close, el("p", {}, plain(summary, true)), pages);
}
