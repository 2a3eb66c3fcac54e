// The draw counted again in the browser: repeats, lower bounds, seats. Pure functions of the published tables.
// A round is a list of tables, a table a list of players in seat order.

const choose2 = (n) => (n * (n - 1)) / 2;

/** How often each pair shared a table, by "smaller larger". */
export function countMeetings(rounds) {
  const met = new Map();
  for (const tables of rounds) {
    for (const table of tables) {
      const players = [...table].sort((a, b) => a - b);
      players.forEach((one, at) => {
        for (const other of players.slice(at + 1)) {
          const pair = `${one} ${other}`;
          met.set(pair, (met.get(pair) ?? 0) + 1);
        }
      });
    }
  }
  return met;
}

/** Q, the sum over pairs of C(meetings, 2), and the meetings beyond the first. */
export function repeatsOf(rounds) {
  let q = 0;
  let repeats = 0;
  for (const times of countMeetings(rounds).values()) {
    q += choose2(times);
    repeats += times - 1;
  }
  return { q, repeats };
}

/** The least Q when all meetings are spread over the pairs as evenly as can be. */
export function pairsBound(rounds) {
  const pairs = choose2(playersOf(rounds).size);
  if (!pairs) return 0;
  const meetings = rounds.flat().reduce((sum, table) => sum + choose2(table.length), 0);
  const each = Math.floor(meetings / pairs);
  const more = meetings % pairs;
  return (pairs - more) * choose2(each) + more * choose2(each + 1);
}

/** The fewest pairs of `size` players that stay together when they spread over `tables`. */
function splitRepeats(size, tables) {
  if (size <= 0) return 0;
  const each = Math.floor(size / tables);
  const more = size % tables;
  return more * choose2(each + 1) + (tables - more) * choose2(each);
}

/** The least Q from comparing rounds two by two; who is missing in one of them may hide from it. */
export function roundsBound(rounds) {
  const all = playersOf(rounds).size;
  const absent = rounds.map((tables) => all - tables.flat().length);
  const common = (from, to) => rounds[from].reduce((sum, table) => sum + splitRepeats(table.length - absent[to], rounds[to].length), 0);
  let total = 0;
  for (let r = 0; r < rounds.length; r += 1) {
    for (let s = r + 1; s < rounds.length; s += 1) total += Math.max(common(r, s), common(s, r));
  }
  return total;
}

/** The largest difference between one player's visits to two seats that every table has. */
export function seatSpread(rounds) {
  const width = Math.min(...rounds.flat().map((table) => table.length));
  const visits = new Map();
  for (const table of rounds.flat()) {
    table.forEach((player, seat) => {
      const own = visits.get(player) ?? new Array(width).fill(0);
      if (seat < width) own[seat] += 1;
      visits.set(player, own);
    });
  }
  return Math.max(0, ...[...visits.values()].map((own) => Math.max(...own) - Math.min(...own)));
}

/** Everything that the page's numbers are compared with. */
export function countAgain(rounds) {
  return { ...repeatsOf(rounds), pairs: pairsBound(rounds), rounds: roundsBound(rounds), spread: seatSpread(rounds) };
}

/** The names of the numbers in which two counts differ. */
export function differences(counted, again) {
  return Object.keys(again).filter((name) => counted[name] !== again[name]);
}

function playersOf(rounds) {
  return new Set(rounds.flat(2));
}
