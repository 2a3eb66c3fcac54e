// What the lobby's page knows, as values: frames in, the rows to show out.

/** Nothing known yet. */
export const empty = { order: { open: [], running: [] }, rows: {} };

/** What is known after a frame `{t: "lobby", whole, order, rows}`; rows that are in no list any more are forgotten. */
export function learn(known, frame) {
  const rows = frame.whole ? frame.rows : { ...known.rows, ...frame.rows };
  const listed = new Set([...frame.order.open, ...frame.order.running]);
  return { order: frame.order, rows: Object.fromEntries(Object.entries(rows).filter(([key]) => listed.has(key))) };
}

/** Whether a row with the data `row` (game, clock, stakes, rating, free) is one that `wanted` asks for. */
export function fits(row, wanted) {
  return Object.entries(wanted).every(([name, value]) => !value || row[name] === value);
}
