// What stands beside the board: the players with their clocks, what happened, offers, and what else can be done.

import { open, plain } from "./display.js";
import { el } from "./dom.js";
import { markdown } from "./markdown.js";
import { moment } from "./time.js";

// Returns the players, and how long those have who are to move.
export function people(state, words) {
  const rows = state.players.map((player) =>
    el(
      "li",
      { class: [player.toMove && "to-move", player.dropped && "dropped", player.won && "won"].filter(Boolean).join(" ") },
      el("span", { class: "seat" }, player.seatName),
      el("span", { class: "name" }, player.name, player.me && player.name !== words.me ? ` (${words.me})` : ""),
      player.toMove && el("span", { class: "clock" }, words.toMove, player.until && " · ", player.until && moment(new Date(player.until), "R")),
      player.won && el("span", { class: "clock", "aria-hidden": "true" }, "★"),
    ),
  );
  return [el("ul", {}, rows)];
}

// Returns what happened last and how the match stands.
export function told(state) {
  const nobody = { mention: (id) => el("strong", {}, state.people[id] ?? "?"), channelLink: () => "", commandLink: (name) => `/${name}`, spoiler: "" };
  return [el("div", { class: state.over ? "status over" : "status" }, markdown(state.status, nobody))];
}

// Returns the offers that wait for an answer; `give` takes an offer and an answer to it.
export function offers(state, give) {
  return state.offers.map((offer) => {
    const button = ({ answer, label }) =>
      el("button", { type: "button", class: answer === "accept" ? "button primary" : "button", dataset: { key: `${answer} ${offer.id}` }, onclick: () => give(offer, answer) }, label);
    return el("div", { class: "offer", dataset: { key: offer.id } }, el("p", {}, offer.words), el("div", { class: "decide" }, offer.answers.map(button)));
  });
}

// Returns the buttons for everything beside moving.
export function controls(page) {
  const { state, words } = page;
  const button = (key, label, work) => el("button", { type: "button", class: "button quiet", dataset: { key }, onclick: work }, label);
  const acts = state.acts.map(({ act, label }) =>
    button(act, label, () => (act === "resign" ? page.resign() : page.act(act))),
  );
  const turn = () => {
    page.flip = (page.flip + 1) % state.players.length;
    page.moves.leave();
    page.refresh();
  };
  const letters = button("letters", state.letters ? words.asPicture : words.asText, () => page.readAs(!state.letters));
  return [...acts, state.players.length ? button("flip", words.flip, turn) : null, letters, button("rules", words.rules, () => rules(page))];
}

async function rules(page) {
  const found = await page.wire.get(`${page.subject}/rules`);
  if (found?.came !== "done") {
    page.refused(found);
    return;
  }
  const { name, summary } = page.state.game;
  const nobody = { mention: () => "", channelLink: () => "", commandLink: (command) => `/${command}`, spoiler: "" };
  const pages = found.pages.map(({ title, text }) => el("section", {}, el("h3", {}, title), markdown(text, nobody)));
  open(name, page.words.close, el("p", {}, plain(summary, true)), pages);
}
