// Small pieces for changing the page in place: nodes are kept by key, so focus and animations survive.

/** Make an element: `el("li", {class: "seat", "data-key": "3"}, child, "text")`. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttr(node, name, value);
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Set, change or (for null and false) remove an attribute, only when it differs. */
export function setAttr(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Show one of several texts and hide the node when there is none. */
export function setLine(node, text) {
  setText(node, text || "");
  node.hidden = !text;
}

/**
 * Make `parent`'s children show `items` in order. A child lives as long as its key:
 * `make(item)` builds it once, `update(node, item, index)` brings it up to date.
 * If the focused child goes away, its neighbour gets the focus.
 */
export function patchList(parent, items, { key, make, update }) {
  const known = parent.keyedNodes ?? (parent.keyedNodes = new Map());
  const wanted = new Set(items.map(key));
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const focusedAt = focused ? [...parent.children].findIndex((child) => child.contains(focused)) : -1;

  for (const [name, node] of known) {
    if (!wanted.has(name)) {
      node.remove();
      known.delete(name);
    }
  }
  items.forEach((item, index) => {
    const name = key(item);
    let node = known.get(name);
    if (!node) {
      node = make(item);
      node.dataset.key = name;
      known.set(name, node);
    }
    update(node, item, index);
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  });
  if (focused) keepFocus(parent, focused, focusedAt);
}

function keepFocus(parent, focused, focusedAt) {
  if (parent.contains(focused)) {
    if (document.activeElement !== focused) focused.focus({ preventScroll: true });
    return;
  }
  const next = parent.children[Math.min(focusedAt, parent.children.length - 1)];
  const target = next?.matches("button, a, [tabindex]") ? next : next?.querySelector("button, a, [tabindex]");
  (target ?? parent.closest("[tabindex]"))?.focus({ preventScroll: true });
}

/** One child of a group takes part in the tab order; arrow keys walk through the others. */
export function roving(group) {
  const items = () => [...group.querySelectorAll("button")].filter((button) => !button.hidden);
  group.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = items();
    let at = all.indexOf(document.activeElement);
    if (at < 0 || all.length === 0) return;
    if (step) at = (at + step + all.length) % all.length;
    else if (event.key === "Home") at = 0;
    else if (event.key === "End") at = all.length - 1;
    else return;
    event.preventDefault();
    all[at].focus();
  });
  group.addEventListener("focusin", (event) => settle(event.target));
  function settle(chosen) {
    const all = items();
    const current = all.includes(chosen) ? chosen : all.find((button) => button.tabIndex === 0) ?? all[0];
    for (const button of all) button.tabIndex = button === current ? 0 : -1;
  }
  return settle;
}
