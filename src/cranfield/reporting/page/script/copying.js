// What to judge next, copied as a list of topic and document.

for (const chart of chartsOf("next")) {
  const table = chart.figure.querySelector("details table"), heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
  const places = ["topic", "document"].map((name) => heads.indexOf(name));
  const lines = [...table.tBodies[0].rows].map((row) => places.map((place) => row.cells[place].textContent).join("\t"));
  const words = document.createElement("span");
  const area = Object.assign(document.createElement("textarea"), { value: `${lines.join("\n")}\n`, readOnly: true, rows: 6, hidden: true });
  area.setAttribute("aria-label", "Topics and documents to judge next");
  words.setAttribute("role", "status");
  const copy = async () => {
    area.hidden = false;
    area.select();
    try {
      await navigator.clipboard.writeText(area.value);
      words.textContent = `${lines.length} lines are copied: topic and document, with a tab between them.`;
    } catch {
      words.textContent = "The browser does not allow copying: the list is below, selected; copy it with Ctrl+C.";
    }
  };
  controlsOf(chart.figure).append(button("Copy as list", copy), words, area);
}
