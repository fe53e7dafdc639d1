// Passages that the assessor marks: offsets into the text of the document, sent with the judgment.

import { characters, place, units, unmark, wrap } from "./text.js";

export class Passages {
  constructor(form, list, say) {
    this.field = form.elements.marks;
    this.list = list;
    this.say = say;
    this.marks = this.field.value ? this.field.value.split(" ").map((pair) => pair.split("-").map(Number)) : [];
  }

  attach(article) {
    this.article = article;
    this.start = Number(article.dataset.start) || 0; // of a long document this page may not be the first
    this.show();
  }

  add(selection) {
    const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
    if (!range || range.collapsed || !this.article.contains(range.commonAncestorContainer)) {
      this.say("Select a passage of the document first.");
      return;
    }
    const text = this.article.textContent;
    const from = place(this.article, range.startContainer, range.startOffset);
    const to = place(this.article, range.endContainer, range.endOffset);
    if (!text.slice(from, to).trim()) return;
    const pair = [from, to].map((at) => this.start + characters(text.slice(0, at)));
    this.marks.push(pair);
    this.marks.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    selection.removeAllRanges();
    this.show();
    this.say(`Marked: ${text.slice(from, to).slice(0, 80)}`);
  }

  show() {
    this.field.value = this.marks.map((pair) => pair.join("-")).join(" ");
    unmark(this.article, "passage");
    this.list.replaceChildren();
    const text = this.article.textContent;
    for (const pair of this.marks) {
      const [from, to] = pair.map((at) => units(text, at - this.start));
      wrap(this.article, from, to, "passage");
      const row = document.createElement("li");
      const quote = document.createElement("q");
      quote.textContent = text.slice(from, to) || `characters ${pair.join(" to ")}`;
      quote.dir = "auto";
      const remove = document.createElement("button");
      remove.type = "button";
      remove.className = "plain";
      remove.textContent = "remove";
      remove.setAttribute("aria-label", `Remove the mark: ${quote.textContent.slice(0, 60)}`);
      remove.addEventListener("click", () => { this.marks = this.marks.filter((one) => one !== pair); this.show(); });
      row.append(quote, remove);
      this.list.append(row);
    }
  }
}
