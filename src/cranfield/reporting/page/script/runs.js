// One run is chosen everywhere: its marks and rows stand out, all others are pale.

let chosenRun = null;

const labelsOf = (chart) => (chart.labels ?? []).filter((label) => chosenRun !== null && isNamed(label, chosenRun));

shapers.push((spec, chart) => {
  dropChoice(spec, "run");
  const known = new Set();
  for (const [unit, rows] of unitsOf(spec)) {
    const fields = RUN.filter((field) => rows.length && typeof rows[0][field] === "string");
    const names = rows.flatMap((row) => fields.map((field) => row[field]));
    if (!names.some((label) => facts.runs.some((run) => isNamed(label, run)))) continue;
    names.forEach((name) => known.add(name));
    const others = fields.map((field) => `indexof(chosenRun, datum.${field}) < 0`);
    fade(unit, `chosenRun.length && ${others.join(" && ")}`);
  }
  chart.labels = [...known];
  if (known.size) spec.params = [...(spec.params ?? []), { name: "chosenRun", value: labelsOf(chart) }];
});

followers.push((chart) => {
  if (!chart.labels.length || ["matrix", "deltas", "microscope"].includes(chart.kind)) return; // a click there is of a pair or a topic
  chart.view.addEventListener("click", (_, item) => {
    const label = item?.datum?.run ?? item?.datum?.name;
    const run = facts.runs.find((each) => isNamed(label, each));
    if (run !== undefined && item.datum.topic === undefined) chooseRun(run === chosenRun ? null : run);
  });
});

const runButtons = [];
for (const table of document.querySelectorAll("#scores > .scroll table")) {
  if (table.tHead.rows[0].cells[0].textContent.trim() !== "run") continue;
  for (const row of table.tBodies[0].rows) {
    const name = facts.runs.find((run) => run === row.cells[0].textContent);
    if (name === undefined) continue;
    const found = button(name, () => chooseRun(name === chosenRun ? null : name));
    found.setAttribute("aria-pressed", "false");
    found.className = "run";
    row.cells[0].replaceChildren(found);
    runButtons.push([name, found]);
  }
}

function markRows() { // rows and columns of tables that are of the chosen run
  for (const cell of document.querySelectorAll("td, th")) {
    const words = cell.textContent, own = words === chosenRun || (cell.scope === "col" && words.startsWith(`${chosenRun}  `));
    cell.classList.toggle("chosen", chosenRun !== null && own);
  }
}

function chooseRun(run) {
  chosenRun = run;
  runButtons.forEach(([name, found]) => found.setAttribute("aria-pressed", String(name === run)));
  markRows();
  sayChoice("run", run === null ? null : `Run ${run} stands out in all charts and tables.`, () => chooseRun(null));
  charts.forEach((chart) => chart.labels?.length && chart.signal("chosenRun", labelsOf(chart)));
}
