"use strict";
// Draws the charts anew so that they answer, and lets readers sort tables. Without this script the page says the same.

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const read = (name) => JSON.parse(document.getElementById(name).textContent);
const DATA = new Set(["values", "datasets", "domain", "sort"]);
const WORDS = new Set(["title", "text"]);

const isData = (name, part) => DATA.has(name) || (WORDS.has(name) && (typeof part === "string" || Array.isArray(part)));

function painted(part, colours) { // a specification in the colours of a dark page
  if (Array.isArray(part)) return part.map((each) => painted(each, colours));
  if (part !== null && typeof part === "object") {
    const entries = Object.entries(part);
    return Object.fromEntries(entries.map(([name, each]) => [name, isData(name, each) ? each : painted(each, colours)]));
  }
  return typeof part === "string" && Object.hasOwn(colours, part) ? colours[part] : part;
}

const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
tip.setAttribute("role", "tooltip");
document.body.append(tip);

function showTip(_, event, __, value) {
  tip.hidden = value === null || value === undefined || value === "";
  if (tip.hidden) return;
  tip.replaceChildren();
  if (typeof value === "object") {
    const list = document.createElement("dl");
    for (const [name, each] of Object.entries(value)) {
      const term = document.createElement("dt"), said = document.createElement("dd");
      term.textContent = name;
      said.textContent = String(each);
      list.append(term, said);
    }
    tip.append(list);
  } else {
    tip.textContent = String(value);
  }
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 12, innerWidth - box.width - 8))}px`;
  tip.style.top = `${Math.max(4, Math.min(event.clientY + 12, innerHeight - box.height - 8))}px`;
}

async function drawChart(place) {
  const spec = read(place.dataset.chart);
  const options = { actions: false, ast: true, renderer: "svg", defaultStyle: false, tooltip: showTip, logLevel: 1 };
  const shown = dark.matches ? painted(spec, read("colours")) : spec;
  const board = document.createElement("div");
  place.replaceChildren(board);
  place.hidden = false;
  try {
    await window.vegaEmbed(board, shown, options);
    board.querySelectorAll("form:empty").forEach((form) => form.remove()); // there is nothing to be filled in
    const picture = board.querySelector("svg");
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    const figure = place.closest("figure");
    const [title, words] = figure.querySelectorAll(".still title, .still desc");
    for (const each of picture.querySelectorAll("[role]")) { // parts of a picture that is described as a whole
      ["role", "aria-roledescription", "aria-label"].forEach((name) => each.removeAttribute(name));
    }
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", `${title.textContent}. ${words.textContent}`);
    for (const each of picture.querySelectorAll("[id]")) { // names inside a picture are those of no other picture
      const name = each.id;
      each.id = `${place.dataset.chart}-${name}`;
      picture.querySelectorAll(`[fill="url(#${CSS.escape(name)})"]`).forEach((one) => one.setAttribute("fill", `url(#${each.id})`));
      picture.querySelectorAll(`[clip-path="url(#${CSS.escape(name)})"]`).forEach((one) => one.setAttribute("clip-path", `url(#${each.id})`));
    }
    figure.classList.add("drawn");
  } catch (problem) {
    place.hidden = true; // the still picture stays
    console.warn(problem);
  }
}

const places = [...document.querySelectorAll("[data-chart]")];
const drawn = new Set();
const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting && !drawn.has(target)) {
      drawn.add(target);
      drawChart(target.querySelector("[data-chart]"));
    }
  }
}, { rootMargin: "400px" });
for (const place of places) near.observe(place.closest("figure"));
dark.addEventListener("change", () => drawn.forEach((figure) => drawChart(figure.querySelector("[data-chart]"))));

const numberIn = (text) => {
  const found = text.replaceAll("\u2212", "-").replaceAll(",", "").match(/-?\d+(\.\d+)?(e-?\d+)?/);
  return found ? Number(found[0]) : -Infinity;
};

function sortBy(table, place, numeric) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0], head = heads[place];
  const before = head.getAttribute("aria-sort");
  const down = before ? before === "ascending" : numeric;
  heads.forEach((each) => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => row.cells[place].textContent.trim();
  const order = (a, b) => (numeric ? numberIn(key(a)) - numberIn(key(b)) : key(a).localeCompare(key(b), "en", { numeric: true }));
  body.append(...[...body.rows].sort((a, b) => (down ? -order(a, b) : order(a, b))));
}

for (const table of document.querySelectorAll("table")) {
  if (table.tBodies[0].rows.length < 3) continue;
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortBy(table, place, head.classList.contains("n")));
  });
}
