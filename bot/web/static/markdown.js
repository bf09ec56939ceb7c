// Discord's Markdown, made into elements. Knows nothing of messages: `context` has what mentions and links lead to, and
// `spoiler`, the name of hidden text.

import { el } from "./dom.js";
import { moment } from "./time.js";

const DEEPEST = 8;
const BLOCK = /^(?:(#{1,3}) (.+)|-# (.+)|( *)(?:[-*]|(\d{1,9})\.) (.+)|> ?(.*))$/;
const JUMP = /^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/channels\/\d+\/(\d+)(?:\/(\d+))?$/;

// Each kind of inline text: what it looks like, and what it becomes. `inner` renders what is inside it.
const INLINE = [
  [/\\([^0-9A-Za-z\s])/uy, (found) => found[1]],
  [/(`+)([^]*?[^`])\1(?!`)/y, (found) => el("code", {}, found[2])],
  [/\*\*([^]+?)\*\*(?!\*)/y, (found, inner) => el("strong", {}, inner(found[1]))],
  [/__([^]+?)__(?!_)/y, (found, inner) => el("u", {}, inner(found[1]))],
  [/~~([^]+?)~~/y, (found, inner) => el("s", {}, inner(found[1]))],
  [/\|\|([^]+?)\|\|/y, (found, inner, context) => spoiler(inner(found[1]), context)],
  [/\*(?=\S)([^*]*?[^\s*])\*(?!\*)/y, (found, inner) => el("em", {}, inner(found[1]))],
  [/(?<![A-Za-z0-9_])_(?=\S)([^]*?\S)_(?![A-Za-z0-9_])/y, (found, inner) => el("em", {}, inner(found[1]))],
  [/\[([^[\]]+)\]\(<?(https:\/\/[^\s<>()]+)>?\)/y, (found, inner, context) => link(found[2], inner(found[1]), context)],
  [/https?:\/\/[^\s<]*[^\s<.,:;"'\])]/y, (found, _, context) => link(found[0], [found[0]], context)],
  [/<(https?:\/\/[^\s<>]+)>/y, (found, _, context) => link(found[1], [found[1]], context)],
  [/<@!?(\d+)>/y, (found, _, context) => context.mention(found[1])],
  [/<#(\d+)>/y, (found, _, context) => context.channelLink(found[1])],
  [/<\/([^:>\n]{1,100}):\d+>/y, (found, _, context) => context.commandLink(found[1])],
  [/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, (found) => moment(new Date(found[1] * 1000), found[2] ?? "f")],
];
const SPECIAL = /[\\`*_~|[<h]/g;

// Returns the elements of a text.
export function markdown(text, context) {
  const blocks = document.createDocumentFragment();
  const pieces = text.split(/```(?:[a-z0-9+-]*\n)?([^]*?)```\n?/i);
  pieces.forEach((piece, index) => {
    if (index % 2) blocks.append(el("pre", { tabindex: "0" }, el("code", {}, piece.replace(/\n$/, ""))));
    else blocks.append(...lines(piece, context));
  });
  return blocks;
}

// Returns the blocks of a text that has no blocks of code.
function lines(text, context) {
  const blocks = [];
  let open = null;
  // Headings are as large as their marks say, and one level below each other: those of a page leave out none.
  const marked = ["###", "##", "#"].filter((marks) => text.split("\n").some((line) => line.startsWith(`${marks} `)));
  const level = (marks) => 2 + marked.filter((other) => other.length < marks.length).length;
  const begin = (kind, make) => {
    if (open?.kind !== kind) blocks.push((open = { kind, node: make(), empty: true }).node);
    return open;
  };
  for (const line of text.replace(/^\n+|\n+$/g, "").split("\n")) {
    const found = BLOCK.exec(line);
    if (found === null) {
      const paragraph = begin("text", () => el("p"));
      if (!paragraph.empty) paragraph.node.append("\n");
      paragraph.node.append(...inline(line, context));
      paragraph.empty = false;
      continue;
    }
    const [, marks, heading, small, indent, number, item, quoted] = found;
    if (heading !== undefined) {
      blocks.push(el(`h${level(marks)}`, { class: `h${marks.length}` }, inline(heading, context)));
      open = null;
    } else if (small !== undefined) {
      blocks.push(el("p", { class: "small" }, inline(small, context)));
      open = null;
    } else if (item !== undefined) {
      const list = begin(number ? "numbers" : "list", () => el(number ? "ol" : "ul", { start: number }));
      list.node.append(el("li", { class: indent.length ? "inner" : null }, inline(item, context)));
    } else {
      const quote = begin("quote", () => el("blockquote"));
      quote.node.append(el("p", {}, inline(quoted, context)));
    }
  }
  return blocks.filter((block) => block.tagName !== "P" || block.textContent.trim() || block.childElementCount);
}

// Returns the nodes of a line or of what is inside a mark.
function inline(text, context, depth = 0) {
  const nodes = [];
  let plain = 0;
  SPECIAL.lastIndex = 0;
  for (let next = SPECIAL.exec(text); next !== null; next = SPECIAL.exec(text)) {
    const match = depth < DEEPEST && matched(text, next.index, context, depth);
    if (!match) continue;
    if (next.index > plain) nodes.push(text.slice(plain, next.index));
    nodes.push(match.node);
    plain = SPECIAL.lastIndex = match.end;
  }
  if (plain < text.length) nodes.push(text.slice(plain));
  return nodes;
}

function matched(text, at, context, depth) {
  for (const [pattern, make] of INLINE) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) {
      const end = at + found[0].length;
      const position = SPECIAL.lastIndex;
      const node = make(found, (inner) => inline(inner, context, depth + 1), context);
      SPECIAL.lastIndex = position;
      return { node, end };
    }
  }
  return null;
}

// Returns a link; one to a message of Discord leads to it on this page.
export function link(address, children, context, props = {}) {
  const jump = JUMP.exec(address);
  if (jump) {
    const go = (event) => {
      event.preventDefault();
      context.jump(jump[1], jump[2]);
    };
    return el("a", { ...props, href: "#", onclick: go }, children);
  }
  if (!/^https?:\/\//.test(address)) return el("span", {}, children);
  return el("a", { ...props, href: address, target: "_blank", rel: "noopener noreferrer" }, children);
}

function spoiler(children, context) {
  const node = el("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": context.spoiler }, children);
  const show = () => {
    node.classList.add("shown");
    node.removeAttribute("role");
    node.removeAttribute("aria-label");
  };
  node.addEventListener("click", show);
  node.addEventListener("keydown", (event) => event.key === "Enter" && show());
  return node;
}
