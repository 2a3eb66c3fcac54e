// What this browser's player likes: kept here, never sent anywhere.

const KEY = "table-settings";
const USUAL = { keys: true, four: true, plain: false, sound: false, chat: false };

export function readSettings() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...USUAL }; // storage may be closed to this page
  }
}

export function writeSettings(settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // the wish then lasts as long as the page
  }
}

/** A soft tone of 0.2 s; the audio is opened by the first press that follows the wish for sound. */
let audio = null;
export function tone() {
  audio ??= new AudioContext();
  const swing = audio.createOscillator();
  const loud = audio.createGain();
  swing.frequency.value = 523;
  loud.gain.setValueAtTime(0.0001, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.12, audio.currentTime + 0.03);
  loud.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.25);
  swing.connect(loud).connect(audio.destination);
  swing.start();
  swing.stop(audio.currentTime + 0.3);
}
