// Any topic under the microscope: the lists of the runs that a reader chooses, as deep as the page knows them.

const template = facts.lists ? chartsOf("microscope")[0] : undefined;
const HALF = 0.36, DEEP = ["#1f7a63", "#0c4a3b"];
let lens = null; // { chart, box, runs, depth }, once there is one

const shortened = (name, letters) => {
  if (name.length <= letters) return name;
  const kept = Math.max(2, letters - 1), head = Math.floor(kept / 2);
  return `${name.slice(0, head)}\u2026${name.slice(-(kept - head))}`;
};

function listsOf(at, runs, depth) { // cells of documents, and lines between the same document in neighbouring lists
  const { documents, grades, ranks } = facts.lists.topics[at], room = (template.first.width - 30) / runs.length;
  const lists = runs.map((run) => ranks[run].slice(0, depth));
  const cells = lists.flatMap((list, x) => list.map((document, place) => {
    const grade = grades[document], level = grade === null ? "unjudged" : `grade ${grade}`, rank = place + 1;
    return { x, left: x - HALF, right: x + HALF, rank, top: rank - 0.42, bottom: rank + 0.42, run: facts.runs[runs[x]], document: documents[document],
      short: shortened(documents[document], Math.floor(room * 2 * HALF / 4)), judged: grade !== null, level, deep: DEEP.includes(facts.grades[level]) };
  }));
  const joins = lists.slice(1).flatMap((list, left) => list.flatMap((document, place) => {
    const before = lists[left].indexOf(document);
    return before < 0 ? [] : [{ x: left + HALF, y: before + 1, x2: left + 1 - HALF, y2: place + 1, document: documents[document] }];
  }));
  return { cells, joins, heads: runs.map((run, x) => ({ x, y: 0.1, run: shortened(facts.runs[run], Math.max(6, Math.floor(room / 6))) })) };
}

function lensSpec(found, number, depth) {
  const spec = structuredClone(template.first), units = [...unitsOf(spec)];
  const kindOf = (rows) => (rows[0]?.left !== undefined ? "cells" : rows[0]?.x2 !== undefined ? "joins" : "heads");
  const words = units.find(([unit]) => (unit.mark.type ?? unit.mark) === "text")[0];
  if (!units.some(([, rows]) => kindOf(rows) === "joins")) { // no document was in two lists of the first topic
    const { x, y } = structuredClone(words.encoding);
    const joined = { data: {}, mark: { type: "rule", color: "#8a8577", strokeWidth: 0.8 }, encoding: { x, y: { ...y, field: "y" }, x2: { field: "x2" }, y2: { field: "y2" } } };
    spec.layer.unshift(joined);
    units.push([joined, [{ x2: 0 }]]);
  }
  spec.datasets = { ...found };
  spec.height = (depth + 1) * 12 + 62;
  const levels = Object.keys(facts.grades).filter((level) => found.cells.some((cell) => cell.level === level));
  for (const [unit, rows] of units) {
    unit.data = { name: kindOf(rows) };
    const { x, y, color } = unit.encoding;
    if (x?.scale) x.scale.domain = [-0.5, number - 0.5];
    if (y?.scale) y.scale.domain = [depth + 0.6, -0.4];
    if (y?.axis) y.axis.values = Array.from({ length: depth }, (_, place) => place + 1);
    if (color?.scale) Object.assign(color.scale, { domain: levels, range: levels.map((level) => facts.grades[level]) });
  }
  return spec;
}

const inPrint = (value) => (Math.round(value * 1000) / 1000 + 0).toFixed(3); // no -0.000

function lensWords(at, runs) {
  const value = (run) => {
    const [score, low, high] = [facts.values[run][at], facts.lists.low[run][at], facts.lists.high[run][at]];
    const ends = low === null || (low === 0 && high === 0) || score === null ? "" : ` (${inPrint(score - low / 1e4)} \u2026 ${inPrint(score + high / 1e4)})`;
    return `${facts.runs[run]} ${score === null ? "\u2013" : score.toFixed(3)}${ends}`;
  };
  return `Topic ${topicWords(at)}: the lists side by side, best rank first. Colour: the grade, as the key says; dashed and hollow: not judged; `
    + `a line joins the same document in neighbouring lists. ${facts.measure}: ${runs.map(value).join("; ")}.`;
}

function makeLens() { // a figure like those below it, with its controls
  const figure = document.createElement("figure"), picture = document.createElement("div"), live = document.createElement("div");
  figure.className = "wide answers";
  figure.id = "figure-topic";
  figure.dataset.kind = "microscope";
  picture.className = "picture";
  picture.tabIndex = 0;
  picture.setAttribute("role", "region");
  picture.setAttribute("aria-label", "The chosen topic");
  live.className = "live";
  live.dataset.chart = template.place.dataset.chart;
  picture.append(live);
  const details = document.createElement("details"), summary = document.createElement("summary");
  summary.textContent = "Data of the chosen topic";
  details.append(summary);
  figure.append(picture, document.createElement("figcaption"), details);
  return figure;
}

function showLists() {
  if (!lens) return null;
  if (chosenTopic === null) return lens.chart.figure.remove();
  const runs = lens.boxes.flatMap((each, run) => (each.checked ? [run] : [])).sort((one, other) => lens.order.indexOf(one) - lens.order.indexOf(other));
  const depth = Math.max(1, Math.min(facts.lists.depth, Number(lens.depth.value) || facts.lists.depth));
  if (!runs.length) return lens.chart.figure.remove();
  lens.row.after(lens.chart.figure);
  const found = listsOf(chosenTopic, runs, depth), caption = lensWords(chosenTopic, runs);
  const table = tableOf(["run", "rank", "document", "grade"], found.cells.map((cell) => [cell.run, cell.rank, cell.document, cell.judged ? cell.level.slice(6) : "\u00b7"]), [false, true, false, true]);
  return lens.chart.show({ spec: lensSpec(found, runs.length, depth), words: caption, caption, table });
}

function openTopic(runs) { // from elsewhere on the page: the topic is chosen, these runs stand first
  if (!lens) return;
  lens.order = [...new Set([...runs, ...lens.order])];
  runs.forEach((run) => { lens.boxes[run].checked = true; });
  showLists();
  lens.heading.scrollIntoView({ block: "start" });
  lens.topic.focus({ preventScroll: true });
}

if (template) {
  const heading = document.createElement("h3"), figure = makeLens(), group = document.createElement("fieldset"), legend = document.createElement("legend");
  heading.textContent = "Any topic";
  heading.className = "answers";
  legend.textContent = "Runs";
  group.append(legend);
  const boxes = facts.runs.map((run, at) => {
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: facts.lists.runs.includes(at) });
    box.addEventListener("change", () => showLists());
    group.append(labelled(run, box));
    return box;
  });
  const depth = Object.assign(document.createElement("input"), { type: "number", min: 1, max: facts.lists.depth, value: facts.lists.depth });
  depth.addEventListener("change", () => showLists());
  const row = document.createElement("div"), topic = topicControl("choose a topic");
  row.className = "controls";
  row.append(labelled("Topic under the microscope", topic), labelled("Ranks", depth), group);
  document.querySelector("#microscope > p").after(heading, row);
  const chart = new Chart(figure);
  charts.push(chart);
  lens = { chart, row, boxes, depth, heading, topic, order: [...facts.lists.runs] };
}
