// What messages are built of: boxes, texts, pictures, buttons, menus. `context` is the person's side of the page.

import { avatar, el } from "./dom.js";
import { openList } from "./listbox.js";
import { link, markdown } from "./markdown.js";
import { t } from "./words.js";

const BUTTONS = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "secondary" };
const LINK = 5;
const PEOPLE = [5, 7];
const CHANNELS = 8;

const KINDS = {
  1: (part, use) => el("div", { class: "row" }, part.components.map((inner) => component(inner, use))),
  2: button,
  3: menu,
  5: menu,
  7: menu,
  8: menu,
  9: (part, use) =>
    el(
      "div",
      { class: "section" },
      el("div", {}, part.components.map((inner) => component(inner, use))),
      component(part.accessory, use),
    ),
  10: (part, use) => el("div", { class: "text" }, markdown(part.content, use.context)),
  11: (part) => picture(part.media, part.description, "thumbnail"),
  12: (part) =>
    el(
      "div",
      { class: "gallery", dataset: { count: part.items.length } },
      part.items.map((item) => picture(item.media, item.description, "picture")),
    ),
  13: (part) => file({ ...part.file, filename: part.name ?? part.file.url.split("/").at(-1), size: part.size }),
  14: (part) => el("hr", { class: part.divider === false ? "gap" : null }),
  17: container,
};

// Returns a component; `use(control, values)` of `use` is what pressing or choosing does.
export function component(part, use) {
  return KINDS[part.type]?.(part, use) ?? el("div", { class: "unknown" }, t("(something this page cannot show)"));
}

// Returns a file to be saved.
export function file(data) {
  const size = data.size ? `${Math.max(1, Math.round(data.size / 1024))} KB` : "";
  return el(
    "a",
    { class: "file", href: data.url, download: data.filename },
    el("span", { "aria-hidden": "true" }, "▤ "),
    data.filename,
    el("small", {}, size),
  );
}

// Returns a picture with its alternative text, in its own proportions before it is there.
export function picture(media, description, kind) {
  const image = el("img", {
    class: kind,
    src: media.url,
    alt: description ?? "",
    width: media.width || null,
    height: media.height || null,
    decoding: "async",
  });
  if (kind === "thumbnail") return image;
  if (media.width && media.height) {
    image.classList.add("sized");
    image.style.setProperty("--wide", `${media.width}px`);
    image.style.setProperty("--ratio", media.width / media.height);
  }
  return el("a", { class: "shown", href: media.url, target: "_blank", rel: "noopener" }, image);
}

function container(part, use) {
  const box = el("div", { class: "container" }, part.components.map((inner) => component(inner, use)));
  if (part.accent_color !== null && part.accent_color !== undefined) {
    box.style.borderLeftColor = `#${part.accent_color.toString(16).padStart(6, "0")}`;
  }
  return box;
}

function button(part, { press, context }) {
  const label = [part.emoji && !part.emoji.id ? `${part.emoji.name} ` : null, part.label ?? ""];
  const style = `button ${BUTTONS[part.style] ?? "secondary"}`;
  if (part.style === LINK) return link(part.url, [...label, " ↗"], context, { class: style });
  return el(
    "button",
    {
      type: "button",
      class: style,
      disabled: part.disabled,
      "aria-label": part.label || part.emoji?.name ? null : t("Button without a name"),
      dataset: { control: part.custom_id },
      onclick: (event) => press(part.custom_id, [], event.currentTarget),
    },
    label,
  );
}

function menu(part, { press, context }) {
  const options = choices(part, context);
  const chosen = options.filter((option) => option.chosen).map((option) => option.label);
  const title = part.placeholder || t("Make a selection");
  return el(
    "div",
    { class: "select" },
    el(
      "button",
      {
        type: "button",
        class: "menu",
        disabled: part.disabled,
        "aria-haspopup": "listbox",
        "aria-expanded": "false",
        "aria-label": chosen.length ? `${title}: ${chosen.join(", ")}` : title,
        dataset: { control: part.custom_id },
        onclick: (event) => {
          const anchor = event.currentTarget;
          openList(anchor, {
            title,
            options,
            most: part.max_values ?? 1,
            fewest: part.min_values ?? 1,
            take: (values) => press(part.custom_id, values, anchor),
          });
        },
      },
      el("span", { class: chosen.length ? "chosen" : "title" }, chosen.join(", ") || title),
      el("span", { class: "arrow", "aria-hidden": "true" }, "⌄"),
    ),
  );
}

function choices(part, context) {
  const already = new Set((part.default_values ?? []).map((value) => value.id));
  if (PEOPLE.includes(part.type)) {
    return [...context.people.values()].map((person) => ({
      value: person.id,
      label: person.name,
      leading: avatar(person),
      chosen: already.has(person.id),
    }));
  }
  if (part.type === CHANNELS) {
    return [...context.channels.values()]
      .filter((channel) => channel.parent === null)
      .map((channel) => ({ value: channel.id, label: `# ${channel.name}`, chosen: already.has(channel.id) }));
  }
  return part.options.map((option) => ({
    value: option.value,
    label: option.emoji && !option.emoji.id ? `${option.emoji.name} ${option.label}` : option.label,
    description: option.description,
    chosen: option.default,
  }));
}
