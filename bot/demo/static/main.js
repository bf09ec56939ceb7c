// The page: one person's side or two beside each other, who and where being in the address, so that a reload, the back
// button and a second window keep it.

import { avatar, el, refill } from "./dom.js";
import { openList } from "./listbox.js";
import { Pane } from "./pane.js";
import { t } from "./words.js";

const WIDE = matchMedia("(min-width: 1000px)");
const SIDES = ["left", "right"];
const FIRST = "alice";

const main = document.querySelector("main");
const tabs = document.querySelector(".people");
const beside = document.querySelector("#beside");
const panes = {};
let people = [];
let current = "left";
let going = false;
let over = false;

// What the address says: for each side who is there and in which channel, and which side is looked at on a phone.
function addressed() {
  const query = new URLSearchParams(location.hash.slice(1));
  const places = {};
  for (const side of SIDES) {
    const [person, channel] = (query.get(side) ?? "").split(":");
    if (person) places[side] = { person, channel };
  }
  if (!places.left) places.left = { person: FIRST };
  return { places, current: query.get("now") === "right" && places.right ? "right" : "left" };
}

function address() {
  const parts = SIDES.filter((side) => panes[side]).map((side) => {
    const { person, channel, wanted } = panes[side];
    return `${side}=${encodeURIComponent(person)}:${channel?.id ?? wanted ?? ""}`;
  });
  return `#${parts.join("&")}${current === "right" ? "&now=right" : ""}`;
}

function went(replace = false) {
  const next = address();
  if (going || next === location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", next);
}

// Says in the title of the page who is looked at, and how many messages name them or whoever is beside them.
function showTitle() {
  if (over || !panes[current]) return;
  const pings = Object.values(panes).reduce((sum, pane) => sum + pane.pings, 0);
  const who = panes[current].me ? `${panes[current].me.name} · ` : "";
  document.title = `${pings ? `(${pings}) ` : ""}${who}${t("Tavoliere in a simulated Discord")}`;
}

function make(side, person, channel) {
  panes[side]?.close();
  const pane = new Pane(person, channel, {
    went,
    followed,
    unread: showTabs,
    people: (all) => {
      people = all.filter((one) => !one.bot);
      showTabs();
    },
    ended: end,
    choose: (anchor, one) => choose(anchor, sideOf(one)),
    close: (one) => closeSide(sideOf(one)),
    be: (key) => {
      be(key);
      panes[current].timeline.arrive();
    },
    beside: WIDE.matches ? addSide : null,
  });
  panes[side] = pane;
  pane.node.classList.add(side);
  if (side === "left") main.prepend(pane.node);
  else main.append(pane.node);
  lay();
  return pane;
}

function sideOf(pane) {
  return SIDES.find((side) => panes[side] === pane);
}

// Two sides that look at the same channel go into a new match together.
function followed(pane, from, to) {
  for (const other of Object.values(panes)) {
    if (other !== pane && other.channel?.id === from && other.composer.idle) {
      if (other.channels.has(to)) other.open(to);
      else setTimeout(() => other.channel?.id === from && other.open(to), 200);
    }
  }
}

function closeSide(side) {
  panes[side].close();
  delete panes[side];
  if (side === "left" && panes.right) {
    panes.left = panes.right;
    delete panes.right;
    panes.left.node.classList.replace("right", "left");
  }
  current = "left";
  lay();
  went();
}

// Shows both sides, or the current one where there is no room.
function lay() {
  main.classList.toggle("two", Boolean(panes.left && panes.right));
  beside.hidden = !WIDE.matches || Boolean(panes.right);
  for (const side of SIDES) {
    if (!panes[side]) continue;
    const hidden = !WIDE.matches && side !== current;
    if (panes[side].node.hidden && !hidden) requestAnimationFrame(() => panes[side]?.timeline.following && panes[side].timeline.bottom());
    panes[side].node.hidden = hidden;
  }
  showTabs();
}

function showTabs() {
  showTitle();
  const shown = people.length ? people : [];
  refill(
    tabs,
    shown.map((person) => {
      const side = SIDES.find((one) => panes[one]?.person === person.key);
      const marks = side && side !== current ? panes[side].unread : 0;
      return el(
        "button",
        {
          type: "button",
          "aria-label": person.name,
          "aria-pressed": String(panes[current]?.person === person.key),
          dataset: { key: person.key, person: person.name },
          onclick: () => be(person.key),
        },
        avatar(person),
        el("span", {}, person.name),
        marks ? el("span", { class: "pings" }, marks >= 1 ? String(marks) : "•") : null,
      );
    }),
    el("button", { type: "button", "aria-label": t("One more person"), dataset: { key: "+" }, onclick: join }, "+"),
  );
}

// Looks at the side of a person, or makes the current side theirs.
function be(person, side = SIDES.find((one) => panes[one]?.person === person) ?? current) {
  current = panes[side] ? side : current;
  if (panes[side]?.person !== person) {
    const channel = panes[side]?.channel?.id ?? panes[current]?.channel?.id;
    make(side, person, channel);
  }
  lay();
  went();
}

async function join() {
  const outcome = await panes[current].act("people");
  if (outcome.person) be(outcome.person, current);
  else panes[current].composer.say(t(outcome.failed));
}

// Opens a second side, for a person or the first one who is not there yet.
function addSide(key = people.find((person) => person.key !== panes.left.person).key) {
  be(key, "right");
}

function choose(anchor, side) {
  const options = people.map((person) => ({
    value: person.key,
    label: person.name,
    leading: avatar(person),
    chosen: panes[side].person === person.key,
  }));
  options.push({ value: "+", label: t("One more person") });
  if (!panes.right) options.push({ value: "|", label: t("Show a second person beside you") });
  openList(anchor, {
    title: t("Who you are"),
    options,
    take: ([value]) => {
      current = side;
      if (value === "+") join();
      else if (value === "|") addSide();
      else be(value, side);
    },
  });
}

function end() {
  if (over) return;
  over = true;
  main.querySelector(".over")?.remove();
  for (const pane of Object.values(panes)) {
    pane.setInert(true);
    pane.connection.close();
  }
  for (const control of document.querySelectorAll("button, textarea")) control.disabled = true;
  document.title = t("The demo is over");
  main.append(
    el(
      "section",
      { class: "over", role: "alertdialog", "aria-labelledby": "over" },
      el("h1", { id: "over", tabindex: "-1" }, t("The demo is over")),
      el("p", {}, t("Everything that was played here is forgotten. To begin anew, run this, and open the address it shows:")),
      el("pre", {}, "python -m bot demo"),
    ),
  );
  document.querySelector("#over").focus();
}

// Shows what the address says.
function go() {
  const said = addressed();
  going = true;
  current = said.current;
  for (const side of SIDES) {
    const place = said.places[side];
    if (!place) {
      panes[side]?.close();
      delete panes[side];
    } else if (panes[side]?.person !== place.person) make(side, place.person, place.channel);
    else if (place.channel && panes[side].channel?.id !== place.channel) panes[side].open(place.channel, { quietly: true, back: true });
  }
  lay();
  going = false;
}

// Asks whether the demo is to end: nothing of it is kept.
function askToEnd() {
  const agreed = async () => {
    const outcome = await panes[current].act("end");
    if (outcome.failed) asked.close();
    else end();
  };
  const asked = el(
    "dialog",
    {
      class: "over",
      role: "alertdialog",
      "aria-labelledby": "asked",
      "aria-describedby": "lost",
      onclose: () => asked.remove(),
    },
    el("h1", { id: "asked" }, t("End the demo?")),
    el("p", { id: "lost" }, t("Everything that was played here will be forgotten.")),
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "button", class: "button secondary", onclick: () => asked.close() }, t("Keep playing")),
      el("button", { type: "button", class: "button danger", onclick: agreed }, t("End the demo")),
    ),
  );
  main.append(asked);
  asked.showModal();
}

// Gives a control of the frame its words and what it does.
function dress(id, words, act) {
  const control = document.querySelector(id);
  if (words) control.textContent = words;
  control.addEventListener("click", act);
  return control;
}

dress("#skip", t("Skip to the newest message"), () => panes[current].timeline.arrive());
dress("#home", "", () => panes[current].goHome()).setAttribute("aria-label", `Tavoliere: ${t("To the start page")}`);
dress("#beside", t("Show a second person beside you"), () => addSide());
dress("#end", t("End"), askToEnd);
tabs.setAttribute("aria-label", t("Who you are"));
WIDE.addEventListener("change", lay);
addEventListener("popstate", go);
document.addEventListener("visibilitychange", () => {
  for (const pane of Object.values(panes)) {
    if (!document.hidden && pane.timeline.following) pane.read(pane.timeline.messages.at(-1)?.id);
  }
});
go();
