// One message: who wrote it, what it says, what can be done with it. `context` is the person's side of the page.

import { component, file } from "./components.js";
import { avatar, el } from "./dom.js";
import { markdown } from "./markdown.js";
import { moment } from "./time.js";
import { t } from "./words.js";

const TOGETHER = 7 * 60 * 1000;
const NOTICED = 300;

// Returns the element of a message; `before` is the message above it.
export function renderMessage(message, before, context) {
  if (message.opened) return opened(message, context);
  const joined = together(message, before);
  const failed = el("p", { class: "failed", role: "alert", hidden: true });
  const node = el("li", {
    class: ["message", joined && "joined", message.private && "private", message.pings && "pinging", context.welcome?.includes(message.id) && "welcome"]
      .filter(Boolean)
      .join(" "),
    dataset: { id: message.id, author: message.author.name },
  });
  const press = async (control, values, anchor) => {
    failed.hidden = true;
    node.setAttribute("aria-busy", "true");
    anchor.classList.add("working");
    const thought = thinking(message.author.name);
    const long = setTimeout(() => failed.before(thought), NOTICED);
    const outcome = await context.press(message, control, values);
    clearTimeout(long);
    thought.remove();
    node.removeAttribute("aria-busy");
    anchor.classList.remove("working");
    if (outcome.failed) {
      failed.textContent = t("This interaction failed: {reason}", { reason: t(outcome.failed) });
      failed.hidden = false;
    }
  };
  const use = { context, press };
  node.append(
    ...[
      message.asked?.command && asked(message, context),
      joined ? null : avatar(message.author),
      el(
        "article",
        { class: "body", "aria-label": t("Message from {name}", message.author) },
        joined ? null : head(message, context),
        el(
          "div",
          { class: "said" },
          message.thinking ? thinking(message.author.name) : null,
          message.content ? el("div", { class: "text" }, markdown(message.content, context)) : null,
          message.edited ? el("small", { class: "edited" }, t("(edited)")) : null,
          message.parts.map((part) => component(part, use)),
          message.files.map(file),
        ),
        failed,
        message.thread && threadBox(message.thread, context),
        message.private && privately(message, context),
      ),
    ].filter(Boolean),
  );
  return node;
}

function thinking(name) {
  return el("p", { class: "thinking", role: "status" }, t("{name} is thinking", { name }), el("span", { class: "dots" }));
}

function together(message, before) {
  return Boolean(
    before &&
      !before.opened &&
      !message.asked?.command &&
      before.author.id === message.author.id &&
      before.private === message.private &&
      new Date(message.at) - new Date(before.at) < TOGETHER,
  );
}

function head(message, context) {
  return el(
    "header",
    {},
    el(
      "button",
      { type: "button", class: "name", tabindex: "-1", onclick: (event) => context.about(message.author.id, event.currentTarget) },
      message.author.name,
    ),
    message.author.bot ? el("span", { class: "app" }, "APP") : null,
    moment(new Date(message.at), new Date(message.at).toDateString() === new Date().toDateString() ? "t" : "f"),
  );
}

function asked(message, context) {
  const person = context.people.get(message.asked.by) ?? { name: message.asked.name };
  return el(
    "p",
    { class: "asked" },
    avatar(person),
    el("span", {}, t("{name} used {command}", { name: message.asked.name, command: `/${message.asked.command}` })),
  );
}

function privately(message, context) {
  return el(
    "p",
    { class: "note" },
    el("span", { "aria-hidden": "true" }, "◉ "),
    t("Only you can see this"),
    " · ",
    el("button", { type: "button", class: "link", onclick: () => context.dismiss(message) }, t("Dismiss message")),
  );
}

function threadBox(id, context) {
  const thread = context.channels.get(id);
  if (!thread) return null;
  return el(
    "button",
    { type: "button", class: "thread-box", onclick: () => context.open(id) },
    el("b", {}, thread.name),
    el("span", {}, `${t("See thread")} ›`),
  );
}

// The news that a thread was opened.
function opened(message, context) {
  const name = context.channels.get(message.opened)?.name ?? message.content;
  return el(
    "li",
    { class: "message system", dataset: { id: message.id, author: message.author.name } },
    el("span", { class: "sign", "aria-hidden": "true" }, "#"),
    el(
      "p",
      {},
      t("{name} started a thread", message.author),
      ": ",
      el("button", { type: "button", class: "link strong", onclick: () => context.open(message.opened) }, name),
      " ",
      moment(new Date(message.at), "t"),
    ),
  );
}
