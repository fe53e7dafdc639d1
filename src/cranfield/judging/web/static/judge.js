// The screen where assessors judge. Without this script the same page is a form with links.
import { Dialogs } from "./judge/dialogs.js";
import { Frame } from "./judge/frame.js";
import { measure } from "./judge/heights.js";
import { listen, method } from "./judge/keys.js";
import { Lease } from "./judge/lease.js";
import { Passages } from "./judge/passages.js";
import { Saver, root } from "./judge/saving.js";
import { Stopwatch } from "./judge/stopwatch.js";

const stage = document.getElementById("stage");
const said = document.getElementById("said");
const saved = document.getElementById("saved");
const ahead = new Map(); // item -> promise of its section, hidden
const saver = new Saver(document.getElementById("unsaved"));
const watch = new Stopwatch();
const lease = new Lease(document.getElementById("lease"), () => [current.dataset.item, ...ahead.keys()]);
const dialogs = new Dialogs();
let current = null;
let frame = null;
let passages = null;
let looking = null; // promise that what comes next is being fetched

const say = (words) => { said.textContent = words; };
const heading = (section) => section.querySelector("h2");
const parsed = (text) => new DOMParser().parseFromString(text, "text/html");

function localTimes(inside) {
  for (const time of inside.querySelectorAll("time[datetime]")) {
    time.textContent = new Date(time.dateTime).toLocaleTimeString([], { hour12: false });
  }
}

function show(section) {
  const before = current;
  current = section;
  ahead.delete(section.dataset.item);
  section.hidden = section.inert = false;
  if (before && before !== section) before.remove();
  showPlace(section.dataset.place);
  document.title = section.querySelector("h1").textContent + " · cranfield";
  history.replaceState(null, "", `${root}/judge/${section.dataset.item}`);
  const form = section.querySelector("form.answer");
  passages = new Passages(form, section.querySelector(".passages"), say);
  frame = new Frame(section, { keys: (target) => listen(target, press), passages, link: (href) => dialogs.link(href), say });
  form.addEventListener("submit", (event) => { event.preventDefault(); submit(form, event.submitter); });
  measure(section);
  watch.restart();
  lease.hold(section);
}

function showPlace(words) { // "Topic 3 of 40"
  const [topic, rest] = words.split(/ (?=of )/);
  const [bold, more] = document.querySelectorAll("#place b, #place .roomy");
  bold.textContent = topic;
  more.textContent = rest;
}

async function fetchSection(item) {
  const answer = await fetch(`${root}/judge/${item}?part=work`);
  if (!answer.ok) return null;
  const section = document.adoptNode(parsed(await answer.text()).querySelector(".work"));
  section.hidden = section.inert = true;
  stage.append(section);
  return section;
}

function prefetch(items) {
  for (const item of items.filter((one) => one && one !== current.dataset.item && !ahead.has(one)).slice(0, 2)) {
    ahead.set(item, fetchSection(item).catch(() => null)); // it is fetched again when it is its turn
  }
}

async function open(item, words) {
  const section = (await ahead.get(item)) ?? (await fetchSection(item).catch(() => null));
  if (!section) { location.assign(`${root}/judge/${item}`); return; }
  show(section);
  window.scrollTo(0, 0);
  heading(section).focus({ preventScroll: true });
  say(`${words} ${heading(section).textContent}`.trim());
}

async function submit(form, button) {
  if (saver.waiting) { say("The last grade is not saved yet. It stays here until it is."); return; }
  const fields = Object.fromEntries(new FormData(form, button));
  const address = button?.hasAttribute("formaction") ? button.formAction : form.action;
  await send(address, { ...fields, method: method(), ...watch.times() });
}

async function send(address, fields) {
  const section = current;
  section.setAttribute("aria-busy", "true");
  const answer = await saver.send(address, fields, () => chosen(section, fields.grade)?.classList.add("waiting"));
  section.removeAttribute("aria-busy");
  section.querySelector(".grade.waiting")?.classList.remove("waiting");
  if (answer.conflict) {
    const choice = await dialogs.conflict(answer.conflict);
    if (choice === "mine") {
      await send(address, { ...fields, version: String(answer.conflict.version), client_id: answer.conflict.client_id });
    } else await open(answer.conflict.item, "The other judgment stays. Document:");
    return;
  }
  if (!answer.words) { say(answer.error || ""); return; }
  if (answer.saved) {
    saved.innerHTML = answer.saved;
    localTimes(saved);
  }
  document.getElementById("progress").innerHTML = answer.progress;
  if (answer.open) await open(answer.open, `${answer.words} Document:`);
  else await advance(section, answer.words);
  current.querySelector(".past-list").innerHTML = answer.last;
  const previous = current.querySelector("[data-step=previous]");
  previous.hidden = !answer.previous;
  previous.href = `${root}/judge/${answer.previous}`;
  looking = fetchAhead();
}

// While an answer is not saved, its grade is marked as such.
function chosen(section, grade) {
  return [...section.querySelectorAll(".grade")].find((button) => button.value === grade);
}

// The next pair is here already or on its way, unless the topic has ended or the network failed.
async function advance(section, words) {
  await looking;
  const [next] = ahead.keys();
  const loaded = await ahead.get(next);
  if (loaded && loaded.dataset.topic === section.dataset.topic) await open(next, `${words} Next document:`);
  else location.assign(`${root}/judge?after=${section.dataset.item}`);
}

async function fetchAhead() {
  const item = current.dataset.item;
  const answer = await fetch(`${root}/judge?ahead=${item}`, { headers: { Accept: "application/json" } }).catch(() => null);
  if (answer?.ok && item === current.dataset.item) prefetch((await answer.json()).ahead);
}

// What a key or a click on a control does, apart from sending the form.
const actions = {
  find: () => frame.find(),
  mark: () => frame.mark(),
  highlights: (control) => frame.highlights(control),
  guide: () => dialogs.guide(),
  keys: () => dialogs.keys(),
};

function press(control) {
  if (control.matches("textarea")) { control.focus(); control.scrollIntoView({ block: "nearest" }); return; }
  control.click();
}

document.addEventListener("click", (event) => {
  const control = event.target.closest("[data-action], [data-step]");
  if (!control || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const action = actions[control.dataset.action];
  if (action) { event.preventDefault(); action(control); }
  if (control.dataset.action === "cannot") {
    requestAnimationFrame(() => control.parentElement.open && control.parentElement.querySelector("button").focus());
  }
  if (control.dataset.step && saver.waiting) { event.preventDefault(); say("The last grade is not saved yet."); }
});

listen(document, press);
window.addEventListener("resize", () => measure(current));
window.addEventListener("beforeunload", (event) => { if (saver.waiting) event.preventDefault(); });
localTimes(document);
const first = stage.querySelector(".work");
show(first);
heading(first).focus({ preventScroll: true });
looking = fetchAhead();
