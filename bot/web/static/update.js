// Brings elements up to date without replacing them: what is still there stays the same element, so that the focus, a
// press between finger down and finger up, and the place in a list outlive news.

import { hears } from "./dom.js";

// Gives an element these children. A child of the same kind and the same `data-key` stays; those without a key are
// matched in order. The focus stays where it is, or goes to the first control in place of the one that is gone.
export function update(node, children) {
  const held = node.contains(document.activeElement);
  arrange(node, matched([...node.childNodes], children.filter(Boolean)));
  if (!held || node.contains(document.activeElement)) return;
  const first = node.querySelector("button, a");
  (first ?? document.querySelector('[role="grid"] [tabindex="0"]'))?.focus({ preventScroll: true });
}

// Gives an element these children, and moves none that stands right already.
export function arrange(node, children) {
  const wanted = new Set(children);
  for (const child of [...node.childNodes]) if (!wanted.has(child)) child.remove();
  children.forEach((child, at) => {
    if (node.childNodes[at] !== child) node.insertBefore(child, node.childNodes[at] ?? null);
  });
}

const kind = (node) => (node.nodeType === Node.TEXT_NODE ? "" : `${node.tagName} ${node.dataset.key ?? ""}`);

function matched(before, children) {
  const free = [...before];
  return children.map((child) => {
    const fresh = typeof child === "string" ? document.createTextNode(child) : child;
    const at = free.findIndex((one) => kind(one) === kind(fresh));
    if (at < 0) return fresh;
    const [kept] = free.splice(at, 1);
    become(kept, fresh);
    return kept;
  });
}

// Makes an element like another one that is about to be shown in its place.
function become(kept, fresh) {
  if (kept === fresh) return;
  if (kept.nodeType === Node.TEXT_NODE) {
    if (kept.data !== fresh.data) kept.data = fresh.data;
    return;
  }
  for (const { name } of [...kept.attributes]) if (!fresh.hasAttribute(name)) kept.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
  hears(kept, fresh);
  arrange(kept, matched([...kept.childNodes], [...fresh.childNodes]));
}
