// Tables are sorted by the column whose head is clicked.

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
