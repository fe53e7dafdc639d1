// Names in charts: a long name loses its middle there.

const facts = document.getElementById("report") ? read("report") : { runs: [], topics: [] };

function isNamed(label, name) { // whether a label of a chart stands for the name
  if (typeof label !== "string" || label === name) return label === name;
  const [head, tail, more] = label.split("\u2026");
  return more === undefined && tail !== undefined && name.length > label.length && name.startsWith(head) && name.endsWith(tail);
}

const RUN = ["run", "name", "baseline"]; // fields of marks that hold the label of a run

function wholeName(label) { // the run that a label stands for, if it can be only one
  const found = facts.runs.filter((run) => isNamed(label, run));
  return found.length === 1 ? found[0] : label;
}

function* unitsOf(spec, sets = spec.datasets ?? {}, data = []) { // the marks of a specification, with the rows that they are drawn from
  const rows = spec.data?.values ?? sets[spec.data?.name] ?? data;
  if (spec.mark) yield [spec, rows];
  for (const part of [...(spec.layer ?? []), ...(spec.concat ?? [])]) yield* unitsOf(part, sets, rows);
}

const FAINT = 0.3, OPACITY = { point: 0.7, tick: 0.7 };

function fade(unit, test) { // marks for which the test holds are pale
  const type = unit.mark.type ?? unit.mark, usual = unit.mark.opacity ?? OPACITY[type] ?? 1;
  unit.encoding ??= {};
  const before = unit.encoding.opacity ?? { value: usual };
  const conditions = before.condition ? [before.condition].flat() : [];
  unit.encoding.opacity = { ...before, condition: [{ test, value: usual * FAINT }, ...conditions] };
}

function dropChoice(spec, name) { // a chart's own choice gives way to that of the page
  spec.params = (spec.params ?? []).filter((each) => each.name !== name);
  for (const [unit] of unitsOf(spec)) {
    unit.params = unit.params?.filter((each) => each.name !== name);
    const conditions = [unit.encoding?.opacity?.condition ?? []].flat(), own = conditions.find((each) => each.param === name);
    if (own) unit.encoding.opacity = { value: own.value, condition: conditions.filter((each) => each !== own) };
  }
}
