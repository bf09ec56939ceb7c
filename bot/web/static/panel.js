// What stands beside the board: the players with their clocks, what happened, offers, and what else can be done.

import { ask, open, plain } from "./display.js";
import { el } from "./dom.js";
import { markdown } from "./markdown.js";
import { countdown, standingClock } from "./time.js";

// What names and links in Discord's Markdown lead to: `people` are names by ids.
export const named = (people = {}) => ({
  mention: (id) => el("strong", {}, people[id] ?? "?"),
  channelLink: () => "",
  commandLink: (command) => `/${command}`,
  spoiler: "",
});

// Returns the players, and how long those have who are to move.
export function people(state, words) {
  const rows = state.players.map((player) =>
    el(
      "li",
      { class: [player.toMove && "to-move", player.dropped && "dropped", player.won && "won"].filter(Boolean).join(" ") },
      el("span", { class: "seat" }, player.seatName),
      el("span", { class: "name" }, player.name, player.me && player.name !== words.me ? ` (${words.me})` : ""),
      player.toMove && el("span", { class: "clock" }, words.toMove, player.until && " · ", player.until && clock(player, words)),
      player.left && el("span", { class: "clock" }, player.left),
      player.won && el("span", { class: "clock", "aria-hidden": "true" }, "★"),
    ),
  );
  return rows.length ? [el("ul", {}, rows)] : [];
}

// Returns the clock of a player who is to move.
function clock({ until, stands }, words) {
  return stands.length ? standingClock(new Date(until), stands, words) : countdown(new Date(until), words.outOfTime);
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

// Returns the buttons for everything beside moving. What has been possible keeps its place while it is not, so that no
// other button comes under a finger.
export function controls(page) {
  const { state, words } = page;
  const button = (key, label, work) =>
    el("button", { type: "button", class: "button quiet", dataset: { key }, "aria-disabled": work ? null : "true", onclick: work }, label);
  const possible = new Set(state.acts.map(({ act }) => act));
  const known = page.acts[Number(state.over)];
  for (const { act, label } of state.acts) known.set(act, label);
  const acts = [...known].map(([act, label]) =>
    button(act, label, possible.has(act) ? () => (act === "resign" || act === "close" ? end(page, act) : page.act(act)) : null),
  );
  const turn = () => {
    page.flip = (page.flip + 1) % state.players.length;
    page.moves.leave();
    page.refresh();
  };
  const letters = button("letters", state.letters ? words.asPicture : words.asText, () => readAs(page, !state.letters));
  return [state.players.length ? button("flip", words.flip, turn) : null, letters, button("rules", words.rules, () => rules(page)), ...acts];
}

// Ends the match, once the person has said that they mean it: `act` is "resign" or "close".
async function end(page, act) {
  const { words } = page;
  if (await ask(words[`${act}Question`], words[`${act}Yes`], words.resignNo)) await page.act(act);
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
