// Keys press the control that names them in data-keys. Never while typing, never with a modifier except undo, never
// during composition, never for a key that is held down.

let last = "key"; // how the last control was pressed
addEventListener("click", (event) => {
  if (event.isTrusted) last = event.pointerType === "touch" ? "touch" : event.pointerType ? "pointer" : "key";
}, true);
export const method = () => last;

const TEXT = new Set(["text", "search", "url", "email", "password", "number", "tel"]);

export function typing(element) {
  const name = element?.tagName;
  return name === "TEXTAREA" || name === "SELECT" || element?.isContentEditable || (name === "INPUT" && TEXT.has(element.type));
}

function named(event) {
  if (event.altKey) return "";
  if (event.ctrlKey || event.metaKey) return event.shiftKey ? "" : `Ctrl+${event.key.toLowerCase()}`;
  return event.key;
}

function control(key) {
  const all = document.querySelectorAll("[data-keys]");
  return [...all].find((one) => one.dataset.keys.split(" ").includes(key) && !one.closest("[hidden], [inert]"));
}

export function listen(target, press) {
  target.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.repeat || event.isComposing) return;
    if (event.key === "Escape" && typing(event.target)) { event.target.blur(); return; }
    if (typing(event.target) || document.querySelector("dialog:modal")) return;
    if (event.key === "Escape") { document.querySelector("dialog[open]")?.close(); return; }
    const found = control(named(event));
    if (!found) return;
    event.preventDefault();
    last = "key";
    press(found);
  });
}
