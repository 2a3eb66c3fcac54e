// Passkeys at the doors and in the settings. A form with data-passkey asks the browser for a passkey ("get") or for a
// new one ("create") when it is sent, and goes on its way with the answer in its field "credential".

const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

const named = (keys = []) => keys.map((key) => ({ ...key, id: toBytes(key.id) }));

function forCreation({ publicKey }) {
  return {
    ...publicKey,
    challenge: toBytes(publicKey.challenge),
    user: { ...publicKey.user, id: toBytes(publicKey.user.id) },
    excludeCredentials: named(publicKey.excludeCredentials),
    // The passkey must be found without a user name, and must ask who holds the device.
    authenticatorSelection: {
      ...publicKey.authenticatorSelection, residentKey: "required", requireResidentKey: true, userVerification: "required",
    },
  };
}

function forUse({ publicKey }) {
  return { ...publicKey, challenge: toBytes(publicKey.challenge), allowCredentials: named(publicKey.allowCredentials) };
}

function written(credential) {
  const { response } = credential;
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const kept = Object.fromEntries(parts.filter((part) => response[part]).map((part) => [part, toText(response[part])]));
  if (response.getTransports) kept.transports = response.getTransports();
  return JSON.stringify({
    id: credential.id,
    rawId: toText(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment,
    response: kept,
    clientExtensionResults: credential.getClientExtensionResults(),
  });
}

// What the server wants to have signed: in the page, or asked for at the form's address.
async function optionsOf(form) {
  const inPage = document.getElementById("passkey-options");
  if (inPage) return JSON.parse(inPage.textContent);
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`no options: ${answer.status}`);
  return answer.json();
}

async function ask(form) {
  const options = await optionsOf(form);
  if (form.dataset.passkey === "create")
    return navigator.credentials.create({ publicKey: forCreation(options.creation_options) });
  return navigator.credentials.get({ publicKey: forUse(options.request_options) });
}

function serve(form) {
  const failed = form.querySelector('[role="alert"]');
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    failed.hidden = true;
    try {
      form.elements.credential.value = written(await ask(form));
      form.submit();
    } catch (error) {
      failed.hidden = false;
      console.warn("no passkey", error);
    }
  });
}

const forms = document.querySelectorAll("form[data-passkey]");
if (window.PublicKeyCredential && navigator.credentials) forms.forEach(serve);
else {
  forms.forEach((form) => { form.hidden = true; });
  document.querySelectorAll("[data-no-passkey]").forEach((words) => { words.hidden = false; });
}
