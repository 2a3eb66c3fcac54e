// The line to the server: one WebSocket that comes back by itself, measures its round trip, notices when it is dead,
// and repeats an unanswered move under the same id until it is answered.
// What else is pressed while there is no line waits a moment for it.

const PING_AFTER = 2500;      // ms after a pong
const DEAD_AFTER = 8000;      // ms without any frame after a ping
const WAKE_PATIENCE = 2000; // ms for an answer when the page wakes: the line may have died in its sleep
const REPEAT_AFTER = 2500;    // ms until an unanswered move is repeated
const WISH_LASTS = 10_000;    // ms that a press waits for the line: later it would only surprise
const FIRST_WAIT = 300;       // ms before the first try to come back
const LONGEST_WAIT = 5000;
const FINAL = new Set(["signed_out", "removed", "deactivated", "too_many_watchers", "no_such_table", "closed"]);

/** The jittered pause before try number `attempt` (0 is the first): between half and all of 0.3 s, 0.6 s ... 5 s. */
export function backoff(attempt, random = Math.random) {
  const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
  return most / 2 + (most / 2) * random();
}

/**
 * Open a line. `on(message)` gets every frame and `{t: "line", line}` changes. `world` may replace WebSocket, timers,
 * clock and chance in tests.
 */
export function openLine(url, on, world = {}) {
  const make = world.connect ?? ((address) => new WebSocket(address));
  const later = world.setTimeout ?? ((run, ms) => setTimeout(run, ms));
  const drop = world.clearTimeout ?? ((id) => clearTimeout(id));
  const now = world.now ?? (() => Date.now());
  const random = world.random ?? Math.random;

  let socket = null;
  let attempt = 0;
  let over = false;
  let unanswered = null;
  let wishes = []; // {message, until}: pressed while there was no line
  let pinged = 0;
  let lag = null; // ms of a usual round trip
  let best = { rtt: Infinity, skew: 0 };
  const timers = { retry: null, ping: null, dead: null, repeat: null };

  function at(name, run, ms) {
    drop(timers[name]);
    timers[name] = later(run, ms);
  }

  function stopTimers() {
    for (const name of Object.keys(timers)) drop(timers[name]);
  }

  function send(message) {
    if (socket?.readyState !== 1) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  function ping() {
    if (!send({ t: "ping" })) return;
    pinged = now();
    at("dead", giveUp, DEAD_AFTER);
  }

  function giveUp() {
    const dead = socket;
    lost(dead);
    dead?.close();
  }

  function connect() {
    if (over || socket) return;
    drop(timers.retry);
    on({ t: "line", line: "connecting" });
    const mine = make(url);
    socket = mine;
    mine.onopen = () => mine === socket && opened();
    mine.onmessage = (event) => mine === socket && received(JSON.parse(event.data));
    mine.onclose = () => lost(mine);
    mine.onerror = () => {};
    at("dead", giveUp, DEAD_AFTER);
  }

  function opened() {
    attempt = 0;
    on({ t: "line", line: "open" });
    ping();
    repeat();
    for (const { message, until } of wishes.splice(0)) if (now() <= until) send(message);
  }

  function lost(which) {
    if (which !== socket) return;
    socket = null;
    stopTimers();
    on({ t: "line", line: "lost" });
    if (!over) at("retry", connect, backoff(attempt++, random));
  }

  function received(message) {
    at("dead", giveUp, DEAD_AFTER + PING_AFTER);
    if (message.t === "pong") {
      if (message.k) send({ t: "echo", k: message.k }); // at once: the server measures the round trip by it
      measure(message.now);
    }
    if ((message.t === "ok" || message.t === "refused") && message.id === unanswered?.id) unanswered = null;
    if (message.t === "bye" && FINAL.has(message.code)) over = true;
    on(message);
  }

  function measure(serverNow) {
    const rtt = now() - pinged;
    lag = lag === null ? rtt : 0.7 * lag + 0.3 * rtt;
    if (rtt <= best.rtt * 1.1) best = { rtt, skew: serverNow - (pinged + rtt / 2) };
    else best = { ...best, rtt: best.rtt * 1.02 }; // an old best fades, clocks drift
    at("ping", ping, PING_AFTER);
  }

  function repeat() {
    if (!unanswered) return;
    send(unanswered);
    at("repeat", repeat, REPEAT_AFTER);
  }

  return {
    connect,
    send,
    /** Send now, or when the line is there if that is soon; returns whether it was now. Of one kind the newest counts. */
    wish(message) {
      if (send(message)) return true;
      const others = wishes.filter((each) => each.message.t !== message.t || each.message.do !== message.do);
      wishes = [...others, { message, until: now() + WISH_LASTS }];
      return false;
    },
    /** Send a move and repeat it under its id until it is answered. */
    move({ id, v, m }) {
      unanswered = { t: "move", id, v, m, ...(lag === null ? {} : { lag: Math.round(lag) }) };
      repeat();
    },
    /** Come back now (the network is up, the page is visible again); a living line is only asked for news. */
    wake() {
      if (socket?.readyState === 1) {
        ping();
        at("dead", giveUp, WAKE_PATIENCE);
      } else if (!socket && !over) {
        attempt = 0;
        connect();
      }
    },
    /** The browser says that the network is gone: the socket would notice only after seconds. */
    sever() {
      if (socket) giveUp();
    },
    close() {
      over = true;
      stopTimers();
      socket?.close();
    },
    /** The server's clock now, in epoch ms, as well as the round trips tell. */
    serverNow: () => now() + best.skew,
    setSkew(serverNow) {
      if (best.rtt === Infinity) best = { rtt: Infinity, skew: serverNow - now() };
    },
  };
}

/** An id that makes repeating a command safe. */
export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // plain http on a club's own network
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}
