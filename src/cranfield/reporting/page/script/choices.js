// What is chosen on the whole page, said at the foot of the window, with a way back; Escape clears all of it.

const choices = new Map(); // what -> { words, clear }
const bar = document.createElement("div");
bar.className = "choices";
bar.hidden = true;
const said = document.createElement("div");
said.setAttribute("role", "status");
bar.append(said);
document.querySelector("main").append(bar);

function sayChoice(what, words, clear) {
  if (words === null) choices.delete(what);
  else choices.set(what, { words, clear });
  bar.hidden = choices.size === 0;
  said.replaceChildren();
  for (const [name, choice] of choices) {
    const line = document.createElement("span");
    line.append(choice.words, " ", button(`Clear the ${name}`, choice.clear));
    said.append(line);
  }
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") [...choices.values()].forEach((choice) => choice.clear());
});
