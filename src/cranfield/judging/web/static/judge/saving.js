// One answer at a time is sent until the server has it. Nothing is kept in the browser's storage: the page stays.

export const root = document.documentElement.dataset.root;
const PAUSES = [1, 2, 4, 8, 15, 30]; // seconds
const TRY_AGAIN = new Set([401, 403, 408, 421, 425, 429, 500, 502, 503, 504, 507]);
let token = document.querySelector("meta[name=csrf]").content;

export function post(address, fields) {
  return fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", "X-CSRF-Token": token },
    body: JSON.stringify(fields),
    signal: AbortSignal.timeout(15000),
  });
}

async function newToken() { // after signing in again in another tab
  const page = await fetch(`${root}/settings`).then((answer) => answer.text()).catch(() => "");
  token = new DOMParser().parseFromString(page, "text/html").querySelector("meta[name=csrf]")?.content || token;
}

export class Saver {
  constructor(bar) {
    this.bar = bar;
    this.waiting = false;
    this.wake = () => {};
    bar.querySelector("button").addEventListener("click", () => this.wake());
    addEventListener("online", () => this.wake());
  }

  // Resolves with the server's answer: saved, or a conflict, or an error that trying again would not change.
  async send(address, fields, waits = () => {}) {
    this.waiting = true;
    for (let attempt = 0; ; attempt += 1) {
      const { answer, problem, final } = await this.attempt(address, fields);
      if (answer || final) {
        this.waiting = false;
        this.tell(final ? problem : "");
        return answer || { error: problem };
      }
      this.tell(problem, true);
      waits();
      await this.pause(PAUSES[Math.min(attempt, PAUSES.length - 1)]);
    }
  }

  async attempt(address, fields) {
    let reply;
    try {
      reply = await post(address, fields);
    } catch {
      return { problem: "the server does not answer." };
    }
    const body = await reply.json().catch(() => ({}));
    if (reply.ok || body.conflict) return { answer: body };
    const problem = body.error || `the server answered ${reply.status}.`;
    if (reply.status === 401 || reply.status === 403) await newToken();
    return { problem, final: !TRY_AGAIN.has(reply.status) };
  }

  pause(seconds) {
    return new Promise((resume) => {
      const countdown = this.bar.querySelector(".countdown");
      const step = (left) => {
        countdown.textContent = left > 0 ? `Trying again in ${left} s.` : "Trying again.";
        if (left <= 0) { resume(); return; }
        const timer = setTimeout(() => step(left - 1), 1000);
        this.wake = () => { clearTimeout(timer); step(0); };
      };
      step(seconds);
    });
  }

  tell(problem, waits = false) {
    this.bar.hidden = !problem;
    this.bar.querySelector("button").hidden = !waits;
    this.bar.querySelector(".countdown").hidden = !waits;
    const words = !problem ? "" : waits ? `Not saved (1): ${problem} Your answer stays here.` : `Not saved: ${problem}`;
    const place = this.bar.querySelector("p");
    if (place.textContent !== words) place.textContent = words; // announced once, not at each attempt
  }
}
