// A document is held for the assessor for some minutes. Anything they do renews it; before it ends the page says so.

import { post, root } from "./saving.js";

const EVERY = 60_000; // at most one renewal a minute
const SOON = 120_000;

export class Lease {
  constructor(bar, items) {
    this.bar = bar;
    this.items = items;
    this.until = Infinity;
    this.renewed = performance.now();
    const active = () => this.active();
    for (const kind of ["keydown", "pointerdown", "pointermove", "wheel", "scroll"]) addEventListener(kind, active, { passive: true, capture: true });
    bar.querySelector("button").addEventListener("click", () => this.renew());
    setInterval(() => this.check(), 5000);
  }

  hold(section) {
    this.until = section.dataset.heldMs ? performance.now() + Number(section.dataset.heldMs) : Infinity;
    this.tell("");
  }

  active() {
    const now = performance.now();
    const soon = this.until - now < SOON;
    if (this.until !== Infinity && now - this.renewed > (soon ? 2000 : EVERY)) this.renew();
  }

  async renew() {
    this.renewed = performance.now();
    const answer = await post(`${root}/leases/renew`, { item: this.items().join("\n") }).catch(() => null);
    const body = answer ? await answer.json().catch(() => ({})) : {};
    if (!answer || this.until === Infinity) return;
    if (answer.ok && body.held_ms) {
      this.until = performance.now() + body.held_ms;
      this.tell("");
    } else if (answer.status === 409) {
      this.tell(body.error);
    }
  }

  check() {
    const left = this.until - performance.now();
    if (left > SOON) return;
    const minutes = Math.max(1, Math.ceil(left / 60_000));
    this.tell(left > 0
      ? `This document is held for you for ${minutes} more ${minutes === 1 ? "minute" : "minutes"}, then it goes back to the queue.`
      : "This document has gone back to the queue. You can still judge it, unless another assessor has taken it.");
  }

  tell(words) {
    this.bar.hidden = !words;
    const place = this.bar.querySelector("p");
    if (place.textContent !== words) place.textContent = words;
  }
}
