// Makes elements. Texts only ever become text nodes: nothing anybody has typed can become markup.

// Returns an element; `props` are attributes, `on…` listeners, `dataset` and properties such as `disabled`.
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) listen(node, name.slice(2), value);
    else if (name === "dataset") Object.assign(node.dataset, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const listeners = new WeakMap();

function hear(event) {
  return listeners.get(event.currentTarget)[event.type]?.(event);
}

function listen(node, type, heard) {
  if (!listeners.has(node)) listeners.set(node, {});
  listeners.get(node)[type] = heard;
  node.addEventListener(type, hear);
}

// Makes an element do what another one does when it is used.
export function hears(node, other) {
  listeners.set(node, {});
  for (const [type, heard] of Object.entries(listeners.get(other) ?? {})) listen(node, type, heard);
}

// Orders ids by age: negative when `one` is older than `other`.
export function byAge(one, other) {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}

// Gives a list other rows; the focus stays with the control that has the same `data-key`, and the list is one stop of the
// Tab key.
export function refill(list, ...rows) {
  const key = list.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  list.replaceChildren(...rows.flat());
  const same = key !== undefined && [...list.querySelectorAll("[data-key]")].find((control) => control.dataset.key === key);
  if (same) same.focus({ preventScroll: true });
  oneStop(list);
}

const WAYS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

// Makes the buttons of a list one stop of the Tab key; the arrow keys go from one to the next.
function oneStop(list) {
  const buttons = () => [...list.querySelectorAll("button")];
  const reach = (stop) => buttons().forEach((button) => (button.tabIndex = button === stop ? 0 : -1));
  const all = buttons();
  reach(all.find((one) => one === document.activeElement) ?? list.querySelector('[aria-current], [aria-pressed="true"]') ?? all[0]);
  list.onkeydown = (event) => {
    const from = buttons().indexOf(event.target);
    const next = buttons()[from + (WAYS[event.key] ?? 0)];
    if (from < 0 || !WAYS[event.key] || !next) return;
    event.preventDefault();
    reach(next);
    next.focus();
  };
}

let count = 0;

// Returns an id no other element has.
export function freshId() {
  count += 1;
  return `e${count}`;
}

// A round picture of somebody: their initial on a colour of their own.
export function avatar(person) {
  const hue = [...person.name].reduce((sum, letter) => (sum * 47 + letter.codePointAt(0) * 5) % 360, 140);
  const node = el("span", { class: person.bot ? "avatar bot" : "avatar", "aria-hidden": "true" }, [...person.name][0] ?? "?");
  if (!person.bot) node.style.backgroundColor = `hsl(${hue} 45% 30%)`;
  return node;
}
