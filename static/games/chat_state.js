// What the page knows of its table's chat, as a value. `reduceChat` is pure: what must be done besides (send, ask for
// what was missed, speak) is returned as effects, never done here.

const KEPT = 200; // lines

export const initialChat = Object.freeze({
  lines: [],        // {id, room, seat, name, own, erased, phrase, text, at}, oldest first
  to: 0,            // the id up to which this page was told everything it may know
  seen: 0,          // the newest id that was shown while the chat was open
  open: false,
  known: false,     // whether the chat was ever told
  rooms: [],        // the rooms this page may read
  room: "table",    // the room it writes to
  write: "no",      // "text", "phrases" or "no"
  closed: false,
  signedIn: false,
  sending: null,    // the frame that waits for its answer
  muting: [],       // {id, name}: lines whose authors are to be muted, until the server has taken their lines away
  refusal: "",      // why the last line was refused
  place: null,      // "<seat>/<whether the match is over>": what may be read follows from it
});

const same = (state) => ({ state, effects: [] });
const newest = (state) => state.lines.at(-1)?.id ?? 0;

/** Return `{state, effects}` after `message`: a frame of the server or an action of this page. */
export function reduceChat(state, message) {
  switch (message.t) {
    case "chat":
      return onChat(state, message);
    case "ok":
      if (!isMine(state, message)) return same(state);
      return {
        state: look({ ...state, sending: null, refusal: "", lines: merged(state.lines, [message.line]) }),
        effects: [{ do: "show" }, { do: "sent", frame: state.sending }],
      };
    case "refused":
      if (!isAwaited(state, message)) return same(state); // a mute that was sent twice is refused once
      return {
        state: {
          ...state,
          sending: message.id === state.sending?.id ? null : state.sending,
          muting: state.muting.filter((each) => muteId(each) !== message.id),
          refusal: message.message,
        },
        effects: [{ do: "show" }],
      };
    case "say":
      if (state.sending) return same(state);
      return {
        state: { ...state, sending: message.frame, refusal: "" },
        effects: [{ do: "send", frame: message.frame }, { do: "show" }],
      };
    case "mute": {
      const wanted = { id: message.id, name: message.name };
      return { state: { ...state, muting: [...state.muting, wanted], refusal: "" }, effects: [sendMute(wanted), { do: "show" }] };
    }
    case "drawer":
      return { state: look({ ...state, open: message.open, refusal: "" }), effects: [{ do: "show" }] };
    case "line": // the line is back: the server may not have heard what waits for its answer; its id makes repeating safe
      if (message.line !== "open") return same(state);
      return { state, effects: [...(state.sending ? [{ do: "send", frame: state.sending }] : []), ...state.muting.map(sendMute)] };
    case "place":
      return onPlace(state, message);
    default:
      return same(state);
  }
}

/** Whether an answer of the server is to something that the chat sent. */
export const isMine = (state, message) =>
  Boolean(message.id) && (message.id === state.sending?.id || String(message.id).startsWith("mute-"));

const muteId = (each) => `mute-${each.id}`;
const isAwaited = (state, { id }) => id === state.sending?.id || state.muting.some((each) => muteId(each) === id);
const sendMute = (each) => ({ do: "send", frame: { t: "mute", id: muteId(each), line: each.id } });

/** How many lines of others came while the chat was closed. */
export const unread = (state) => state.lines.filter((line) => line.id > state.seen && !line.own).length;

function onChat(state, message) {
  const { rooms, room, write, closed, signed_in: signedIn } = message;
  const known = new Set(state.lines.map((line) => line.id));
  const fresh = message.lines.filter((line) => !known.has(line.id) && !line.own && line.id > state.seen);
  const gap = !message.all && message.after > state.to;
  const next = {
    ...state,
    rooms,
    room,
    write,
    closed,
    signedIn,
    known: true,
    lines: message.all ? message.lines : merged(state.lines, message.lines),
    to: gap ? state.to : message.all ? message.to : Math.max(state.to, message.to),
  };
  if (!state.known) next.seen = newest(next); // what was said before this page came is not news
  const effects = [{ do: "show" }];
  const left = new Set(next.lines.map((line) => line.id));
  next.muting = state.muting.filter((each) => left.has(each.id));
  for (const each of state.muting) if (!left.has(each.id)) effects.push({ do: "muted", name: each.name });
  if (gap) effects.push({ do: "send", frame: { t: "chat_since", id: state.to } });
  if (!state.known && next.open) effects.push({ do: "offer" }); // it was opened before there was anything to write in
  if (state.known && fresh.length > 0) effects.push({ do: "speak", lines: fresh });
  return { state: look(next), effects };
}

/** The seat was taken or left, or the match ended: other rooms may be read now, so the lines are asked for anew. */
function onPlace(state, { you, over }) {
  const place = `${you}/${over}`;
  if (place === state.place) return same(state);
  const effects = state.place === null ? [] : [{ do: "send", frame: { t: "chat_since", id: 0 } }];
  return { state: { ...state, place }, effects };
}

function look(state) {
  return state.open ? { ...state, seen: Math.max(state.seen, newest(state)) } : state;
}

function merged(lines, more) {
  const byId = new Map([...lines, ...more].map((line) => [line.id, line]));
  return [...byId.values()].sort((a, b) => a.id - b.id).slice(-KEPT);
}
