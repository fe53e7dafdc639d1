// Two runs, topic by topic: the pair that a reader chooses, the topics that are brushed, and the mean of them in words.

const pairChart = chartsOf("deltas")[0];
let pair = facts.drawn?.[0] ?? null; // places of both runs

const shiftedBy = (ends, at, sign) => (ends?.[at] === undefined || ends[at] === null ? null : sign * ends[at] / 1e4);

function rowsOfPair(a, b) { // one row for each topic that both runs have a value for, the largest difference first
  const ends = facts.ends?.[`${a},${b}`], turned = facts.ends?.[`${b},${a}`];
  const rows = [];
  facts.topics.forEach((topic, at) => {
    const [ours, theirs] = [facts.values[a][at], facts.values[b][at]];
    if (ours === null || theirs === null) return;
    const delta = ours - theirs, better = facts.smaller ? delta < 0 : delta > 0;
    const row = { topic, ours, theirs, delta: Number(delta.toPrecision(6)), sign: delta === 0 ? "equal" : better ? "better" : "worse" };
    const low = ends ? shiftedBy(ends[0], at, -1) : shiftedBy(turned?.[1], at, -1);
    const high = ends ? shiftedBy(ends[1], at, 1) : shiftedBy(turned?.[0], at, 1);
    if (low !== null && high !== null) Object.assign(row, { lowest: delta + low, highest: delta + high });
    rows.push(row);
  });
  return rows.sort((one, other) => other.delta - one.delta);
}

const meanOf = (rows) => rows.reduce((sum, row) => sum + row.delta, 0) / rows.length;

function pairSpec(rows, mean) {
  const spec = structuredClone(pairChart.first), sets = (spec.datasets ??= {});
  sets.chosenPair = rows;
  sets.chosenMean = [{ mean }];
  for (const [unit, before] of [...unitsOf(spec)]) {
    unit.data = { name: before[0]?.topic === undefined ? "chosenMean" : "chosenPair" };
    if (unit.encoding.x?.sort) unit.encoding.x.sort = rows.map((row) => row.topic);
    if (unit.encoding.text?.value === undefined) continue;
    const low = mean < 0; // as in the first picture: beside the bars, not on them
    unit.encoding.text.value = `mean ${signed(mean)}`;
    unit.encoding.x.value = low ? 0 : "width";
    Object.assign(unit.mark, { align: low ? "left" : "right", dx: low ? 2 : -2, baseline: low ? "top" : "bottom", dy: low ? 3 : -2 });
  }
  return spec;
}

function choosePair(a, b) {
  pair = [a, b];
  pairControls.forEach((control, at) => { control.value = String(pair[at]); });
  pairNote.textContent = a === b ? "Choose two different runs." : "";
  if (a === b) return null;
  if (String(pair) === String(facts.drawn[0])) return pairChart.show(null);
  const rows = rowsOfPair(a, b), [run, other] = pair.map((at) => facts.runs[at]), mean = meanOf(rows);
  const count = (sign) => rows.filter((row) => row.sign === sign).length, ranged = rows.some((row) => row.lowest !== undefined);
  const whisker = ranged ? "a whisker the range that missing judgments leave possible" : "there are no whiskers, as ranges by topic were not computed for this pair";
  const caption = `${facts.measure} of ${run} minus that of ${other} on each topic, largest first; the dashed line is the mean, ${whisker}. `
    + `${run} is better on ${count("better")}, equal on ${count("equal")} and worse on ${count("worse")} of ${rows.length} topics. `
    + (facts.said[`${a},${b}`] ?? `Mean difference ${signed(mean)}; the pair was not tested.`)
    + (ranged && facts.outer ? " Whiskers may be wider than what is possible." : "");
  const heads = ["topic", run, other, "\u0394", ...(ranged ? ["lowest \u0394", "highest \u0394"] : [])];
  const table = tableOf(heads, rows.map((row) => [row.topic, row.ours.toFixed(4), row.theirs.toFixed(4), signed(row.delta),
    ...(ranged ? [signed(row.lowest ?? null), signed(row.highest ?? null)] : [])]), heads.map((_, at) => at > 0));
  return pairChart.show({ spec: pairSpec(rows, mean), words: `${facts.measure}: ${run} minus ${other}, topic by topic. ${caption}`, caption, table });
}

function openPair(a, b) { // from elsewhere on the page
  choosePair(a, b);
  pairChart.figure.scrollIntoView({ block: "start" });
  pairControls[0].focus({ preventScroll: true });
}

const pairControls = [], pairNote = document.createElement("span");
if (pairChart && facts.values) {
  pairNote.setAttribute("role", "status");
  const changed = () => choosePair(...pairControls.map((control) => Number(control.value)));
  for (const [at, words] of ["Run", "minus"].entries()) {
    const control = selection(facts.runs.map((run, place) => [String(place), run]), String(facts.drawn[0][at]), changed);
    pairControls.push(control);
    controlsOf(pairChart.figure).append(labelled(words, control));
  }
  controlsOf(pairChart.figure).append(pairNote);
}

followers.push((chart) => { // a cell of the matrix opens the pair
  if (chart.kind !== "matrix" || !pairControls.length) return;
  chart.view.addEventListener("click", (_, item) => {
    const [a, b] = [item?.datum?.run, item?.datum?.baseline].map((label) => facts.runs.findIndex((run) => isNamed(label, run)));
    if (a >= 0 && b >= 0 && a !== b) openPair(a, b);
  });
});

// --- brushing ---

function brushWords(rows, chosen) {
  const inside = rows.filter((row) => chosen.includes(row.topic));
  if (!inside.length) return "";
  return `Mean of the ${inside.length} ${inside.length === 1 ? "topic" : "topics"} chosen: ${signed(meanOf(inside))}; of all ${rows.length}: ${signed(meanOf(rows))}.`;
}

function brushOf(chart) { // the words beside a chart, and a way to brush by key
  if (chart.brush) return chart.brush;
  const box = document.createElement("div"), words = document.createElement("span"), ends = [0, 1].map(() => document.createElement("input"));
  box.className = "controls brush";
  words.setAttribute("role", "status");
  ends.forEach((input) => Object.assign(input, { type: "number", min: 1 }));
  const brush = () => {
    const rows = chart.rows, [first, last] = ends.map((input) => rows[Number(input.value) - 1]?.topic);
    if (first === undefined || last === undefined) return chart.signal("topics_x", []);
    const scale = chart.view.scale("x"), [left, right] = [scale(first), scale(last)].sort((one, other) => one - other);
    return chart.signal("topics_x", [left, right + scale.bandwidth()]);
  };
  ends.forEach((input) => input.addEventListener("change", brush));
  const clear = button("Clear", () => {
    ends.forEach((input) => { input.value = ""; });
    chart.signal("topics_x", []);
  });
  box.append(labelled("Mean of topics from place", ends[0]), labelled("to place", ends[1]), clear, words);
  chart.figure.querySelector("figcaption").before(box);
  chart.brush = { words, ends };
  return chart.brush;
}

followers.push((chart) => {
  if (chart.kind !== "deltas") return;
  const { words, ends } = brushOf(chart);
  chart.rows = [...unitsOf(chart.shown?.spec ?? chart.first)].map(([, rows]) => rows).find((rows) => rows[0]?.topic !== undefined) ?? [];
  ends.forEach((input) => Object.assign(input, { max: chart.rows.length, value: "" }));
  words.textContent = "Draw across the bars to choose topics.";
  chart.view.addSignalListener("topics", (_, value) => {
    words.textContent = brushWords(chart.rows, value?.topic ?? []) || "Draw across the bars to choose topics.";
  });
});
