// Panels of the judging screen: guidelines beside the document; keys, conflicts and links in front of it.

import { root } from "./saving.js";

const named = (id) => document.getElementById(id);

export class Dialogs {
  keys() { named("keys").open ? named("keys").close() : named("keys").showModal(); }

  async guide() {
    const panel = named("guide");
    if (panel.open) { panel.close(); return; }
    if (!panel.childElementCount) {
      const answer = await fetch(`${root}/guidelines`).catch(() => null);
      if (!answer?.ok) { location.assign(`${root}/guidelines`); return; }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const close = document.createElement("button");
      close.type = "button";
      close.className = "small";
      close.textContent = "Close";
      close.addEventListener("click", () => panel.close());
      panel.append(close, ...document.adoptNode(page.getElementById("main")).childNodes);
    }
    panel.show();
    panel.querySelector("button").focus();
  }

  link(href) {
    const box = named("link");
    box.querySelector(".what").textContent = href;
    box.querySelector("a").href = href;
    box.querySelector("a").onclick = () => box.close();
    box.showModal();
  }

  // Both values are offered; resolves with "mine" or "theirs".
  conflict({ mine, theirs }) {
    const box = named("conflict");
    box.querySelector(".what").textContent = `You chose “${mine}” here. Since this page was loaded, “${theirs}” was saved, in another window or on another device.`;
    const [first, second] = box.querySelectorAll("button");
    first.textContent = `Save “${mine}”`;
    second.textContent = `Keep “${theirs}”`;
    box.showModal();
    return new Promise((resume) => {
      const end = (choice) => { box.close(); resume(choice); };
      first.onclick = () => end("mine");
      second.onclick = () => end("theirs");
      box.oncancel = () => resume("theirs");
    });
  }
}
