// What the page itself says, in the language of the browser or the one in the address (`?lang=de`).

const asked = new URLSearchParams(location.search).get("lang") ?? navigator.language ?? "en";

async function fetched() {
  try {
    return await (await fetch(`/words?lang=${encodeURIComponent(asked)}`)).json();
  } catch {
    return { language: "en", words: {} };
  }
}

const { language, words } = await fetched();

export const LANGUAGE = language;

// Returns an English text in the reader's language, with values in the place of their names in braces.
export function t(text, values = {}) {
  return (words[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

document.documentElement.lang = language;
