// Charts of lines: the reader chooses which of them are drawn.

for (const chart of chartsOf("curves", "study", "judging", "significance", "systems")) {
  const labels = [...new Set([...unitsOf(chart.first)].flatMap(([, rows]) => rows.map((row) => row.label)))].filter((label) => label !== undefined);
  if (labels.length < 2) continue;
  const key = [...unitsOf(chart.first)].map(([unit]) => unit.encoding?.color?.scale?.domain).find(Boolean) ?? labels;
  const group = document.createElement("fieldset"), legend = document.createElement("legend");
  legend.textContent = "Lines";
  group.append(legend);
  chart.hidden = new Set();
  for (const label of key.filter((each) => labels.includes(each))) {
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: true });
    box.addEventListener("change", () => {
      if (box.checked) chart.hidden.delete(label);
      else chart.hidden.add(label);
      chart.signal("hiddenLines", [...chart.hidden]);
    });
    group.append(labelled(label, box));
  }
  controlsOf(chart.figure).append(group);
}

shapers.push((spec, chart) => {
  if (!chart.hidden) return;
  dropChoice(spec, "picked");
  spec.params = [...(spec.params ?? []), { name: "hiddenLines", value: [...chart.hidden] }];
  for (const [unit, rows] of unitsOf(spec)) {
    if (rows[0]?.label !== undefined) unit.transform = [{ filter: "indexof(hiddenLines, datum.label) < 0" }, ...(unit.transform ?? [])];
  }
});
