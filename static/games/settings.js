// What this browser's player likes: kept here, never sent anywhere.

const KEY = "table-settings";
const USUAL = { keys: true, four: true, plain: false, sound: false, shake: true, chat: false };

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
