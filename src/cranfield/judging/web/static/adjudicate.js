// The screen where disputes are settled: keys and the frame of the judging screen, around a plain form.
import { Dialogs } from "./judge/dialogs.js";
import { Frame } from "./judge/frame.js";
import { measure } from "./judge/heights.js";
import { listen } from "./judge/keys.js";

const section = document.querySelector(".work");
const said = document.getElementById("said");
const dialogs = new Dialogs();
const press = (control) => control.click();
const passages = { attach() {}, add() {} }; // those of the assessors are in the document already
const frame = new Frame(section, {
  keys: (target) => listen(target, press),
  passages,
  link: (href) => dialogs.link(href),
  say: (words) => { said.textContent = words; },
});
const actions = { find: () => frame.find(), highlights: (control) => frame.highlights(control), guide: () => dialogs.guide() };

document.addEventListener("click", (event) => {
  const control = event.target.closest("[data-action]");
  const action = control && actions[control.dataset.action];
  if (action) { event.preventDefault(); action(control); }
});
listen(document, press);
measure(section);
window.addEventListener("resize", () => measure(section));
section.querySelector("h2").focus({ preventScroll: true });
