// Words of the interface. The catalogue is Django's JavaScriptCatalog (/i18n/catalog.js), loaded before the modules;
// without it (in tests) every text is its own English source.

const identity = {
  gettext: (text) => text,
  ngettext: (one, many, n) => (n === 1 ? one : many),
  pgettext: (context, text) => text,
};

const catalogue = () => (typeof globalThis.gettext === "function" ? globalThis : identity);

export const gettext = (text) => catalogue().gettext(text);
export const ngettext = (one, many, n) => catalogue().ngettext(one, many, n);
export const pgettext = (context, text) => catalogue().pgettext(context, text);

/** Fill `%(name)s` places of a translated text from `values`. */
export function fill(text, values) {
  return text.replace(/%\((\w+)\)s/g, (place, name) => (name in values ? String(values[name]) : place));
}

/** Join texts as a list in the page's language: "a, b and c". */
export function listed(texts) {
  const language = globalThis.document?.documentElement?.lang || "en";
  return new Intl.ListFormat(language, { type: "conjunction" }).format(texts);
}
