// A form the bot asks to be filled in. It covers its person's side of the page and no more.

import { el, freshId } from "./dom.js";
import { t } from "./words.js";

const TEXT = 4;
const LABEL = 18;
const LONG = 2;

// Opens a form in `pane`; `submit` gets what was entered and returns what came of it.
export function openForm(pane, form, submit) {
  const before = document.activeElement;
  const failed = el("p", { class: "failed", role: "alert", hidden: true });
  const fields = form.components.flatMap(field);
  const title = freshId();
  const close = () => {
    scrim.remove();
    pane.setInert(false);
    if (before?.isConnected) before.focus();
    else pane.composer.focus();
  };
  const dialog = el(
    "form",
    {
      class: "dialog",
      role: "dialog",
      "aria-modal": "true",
      "aria-labelledby": title,
      onkeydown: (event) => event.key === "Escape" && close(),
      onsubmit: async (event) => {
        event.preventDefault();
        const entered = Object.fromEntries(fields.map(({ id, input }) => [id, input.value]));
        const outcome = await submit(entered);
        if (!outcome.failed) return close();
        failed.textContent = t(outcome.failed);
        failed.hidden = false;
      },
    },
    el("h2", { id: title }, form.title),
    el("p", { class: "note" }, t("This form will be submitted to Tavoliere, in this simulated Discord.")),
    fields.map(({ node }) => node),
    failed,
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "button", class: "button secondary", onclick: close }, t("Cancel")),
      el("button", { type: "submit", class: "button primary" }, t("Submit")),
    ),
  );
  const scrim = el("div", { class: "scrim", onclick: (event) => event.target === scrim && close() }, dialog);
  pane.setInert(true);
  pane.node.append(scrim);
  fields[0]?.input.focus();
}

// Returns the fields of a component: its element, input and custom id.
function field(part) {
  if (part.type === LABEL) return part.component.type === TEXT ? [text(part.component, part)] : [];
  if (part.type === TEXT) return [text(part, part)];
  return (part.components ?? []).flatMap(field);
}

function text(part, { label, description }) {
  const id = freshId();
  const props = {
    id,
    required: part.required !== false,
    minlength: part.min_length,
    maxlength: part.max_length,
    placeholder: part.placeholder,
    autocomplete: "off",
  };
  const input = part.style === LONG ? el("textarea", { ...props, rows: 4 }) : el("input", { ...props, type: "text" });
  input.value = part.value ?? "";
  return {
    id: part.custom_id,
    input,
    node: el(
      "div",
      { class: "field" },
      el("label", { for: id }, label ?? part.label ?? t("Text")),
      description ? el("p", { class: "note" }, description) : null,
      input,
    ),
  };
}
