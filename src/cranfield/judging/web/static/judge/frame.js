// The document in its frame. No script runs there, but our keys do, the frame is as high as its text, links ask first.

import { textNodes, unmark, wrap } from "./text.js";

export class Frame {
  constructor(section, { keys, passages, link, say }) {
    this.section = section;
    this.frame = section.querySelector("iframe");
    this.box = section.querySelector(".find");
    Object.assign(this, { keys, passages, link, say });
    this.sizes = new ResizeObserver(() => this.fit());
    this.frame.addEventListener("load", () => this.ready());
    if (this.page?.readyState === "complete" && this.page.URL !== "about:blank") this.ready();
    this.setUpFind();
  }

  get page() { return this.frame.contentDocument; }
  get article() { return this.page.querySelector("article"); }

  ready() {
    if (this.seen === this.page) return;
    this.seen = this.page;
    this.keys(this.page);
    this.page.addEventListener("click", (event) => {
      const anchor = event.target.closest("a[href]");
      if (anchor?.target === "_blank") { event.preventDefault(); this.link(anchor.href); }
    });
    this.sizes.disconnect();
    this.sizes.observe(this.page.body);
    this.fit();
    const button = this.section.querySelector("[data-action=highlights]");
    this.apply(button.getAttribute("aria-pressed") === "true");
    this.passages.attach(this.article);
  }

  fit() {
    if (this.section.hidden || !this.page?.body) return;
    this.frame.style.height = `${Math.max(120, Math.ceil(this.page.body.getBoundingClientRect().height) + 4)}px`;
  }

  mark() { this.passages.add(this.page.getSelection()); }

  highlights(button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    this.apply(on);
    this.say(on ? "Highlights on." : "Highlights off.");
  }

  apply(on) {
    this.page.documentElement.dataset.highlights = on ? "on" : "off";
    for (const mark of this.page.querySelectorAll("mark.term:not(.passage)")) {
      if (on) mark.removeAttribute("role"); else mark.setAttribute("role", "none");
    }
  }

  find() {
    this.box.hidden = false;
    this.box.querySelector("input").focus();
    this.box.querySelector("input").select();
  }

  setUpFind() {
    const input = this.box.querySelector("input");
    const state = this.box.querySelector("[role=status]");
    let found = [];
    let here = -1;
    const step = (by) => {
      if (!found.length) return;
      found[here]?.forEach((mark) => mark.classList.remove("here"));
      here = (here + by + found.length) % found.length;
      found[here].forEach((mark) => mark.classList.add("here"));
      found[here][0].scrollIntoView({ block: "center" });
      state.textContent = `${here + 1} of ${found.length}`;
    };
    input.addEventListener("input", () => {
      unmark(this.article, "found");
      found = search(this.article, input.value.trim());
      here = -1;
      state.textContent = input.value.trim() && !found.length ? "Not in the document." : "";
      step(1);
    });
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); step(event.shiftKey ? -1 : 1); }
      if (event.key === "Escape") {
        unmark(this.article, "found");
        this.box.hidden = true;
        input.value = state.textContent = "";
        this.section.querySelector("h2").focus({ preventScroll: true });
      }
    });
    this.box.querySelector("button").addEventListener("click", () => step(1));
  }
}

function folded(text) { // without case and accents, with the place of each character
  const letters = [];
  const places = [];
  for (let at = 0; at < text.length; at += 1) {
    for (const part of text[at].normalize("NFKD").toLowerCase()) {
      if (!/\p{M}/u.test(part)) { letters.push(part); places.push(at); }
    }
  }
  return [letters.join(""), places];
}

function search(article, words) {
  const [wanted] = folded(words);
  if (!wanted) return [];
  const [text, places] = folded(textNodes(article).map((node) => node.data).join(""));
  const spans = [];
  for (let at = text.indexOf(wanted); at >= 0 && spans.length < 1000; at = text.indexOf(wanted, at + wanted.length)) {
    spans.push([places[at], places[at + wanted.length - 1] + 1]);
  }
  return spans.map(([begin, end]) => wrap(article, begin, end, "found"));
}
