// How long a document was looked at, and how long the assessor was away: page hidden, or no input for a minute.

const IDLE = 60_000;

export class Stopwatch {
  constructor() {
    this.restart();
    const input = () => this.tick(true);
    for (const kind of ["keydown", "pointerdown", "pointermove", "wheel", "scroll"]) addEventListener(kind, input, { passive: true, capture: true });
    document.addEventListener("visibilitychange", () => this.tick(!document.hidden));
  }

  restart() {
    this.active = this.away = 0;
    this.since = this.input = performance.now();
  }

  tick(input) {
    const now = performance.now();
    const busy = document.hidden && !input ? 0 : Math.max(0, Math.min(now, this.input + IDLE) - this.since);
    this.active += busy;
    this.away += now - this.since - busy;
    this.since = now;
    if (input) this.input = now;
  }

  times() {
    this.tick(true);
    return { ms_active: String(Math.round(this.active)), ms_away: String(Math.round(this.away)) };
  }
}
