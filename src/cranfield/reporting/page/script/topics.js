// One topic is chosen everywhere: marked among the scores of all topics, alone in the coverage, and under the microscope.

let chosenTopic = null; // its place
const MARK = "#d55e00", EDGE_OF_MARK = "#1d1f21";
const topicWords = (at) => (facts.titles?.[at] ? `${facts.topics[at]}: ${facts.titles[at]}` : facts.topics[at]);
const topicControls = [];

function topicControl(none) {
  const options = [["", none], ...facts.topics.map((_, at) => [String(at), topicWords(at)])];
  const control = selection(options, "", (value) => chooseTopic(value === "" ? null : Number(value)));
  topicControls.push(control);
  return control;
}

const chosenName = () => (chosenTopic === null ? null : facts.topics[chosenTopic]);

shapers.push((spec, chart) => {
  if (!["distribution", "deltas"].includes(chart.kind)) return;
  spec.params = [...(spec.params ?? []), { name: "chosenTopic", value: chosenName() }];
  const [unit] = [...unitsOf(spec)].find(([, rows]) => rows[0]?.topic !== undefined) ?? [];
  if (!unit) return;
  if (chart.kind === "deltas") { // an edge around the bar
    unit.encoding.stroke = { condition: { test: "datum.topic === chosenTopic", value: EDGE_OF_MARK }, value: null };
    unit.encoding.strokeWidth = { value: 2 };
    return;
  }
  const { name, params, ...marked } = structuredClone(unit); // a square in every run
  marked.transform = [...(marked.transform ?? []), { filter: "datum.topic === chosenTopic" }];
  marked.mark = { type: "point", shape: "square", filled: true, color: MARK, stroke: EDGE_OF_MARK, strokeWidth: 0.7, size: 40, opacity: 1 };
  delete marked.encoding.opacity;
  spec.layer.push(marked);
});

followers.push((chart) => { // a bar, or a point, is of a topic
  if (!["distribution", "deltas"].includes(chart.kind)) return;
  chart.view.addEventListener("click", (event) => {
    const below = document.elementsFromPoint(event.clientX, event.clientY).map((each) => each.__data__?.datum?.topic); // also below a brush
    const at = facts.topics.indexOf(below.find((topic) => topic !== undefined));
    if (at < 0) return;
    chooseTopic(at);
    if (chart.kind === "deltas") openTopic(chart === pairChart ? pair : facts.drawn?.[chartsOf("deltas").indexOf(chart)] ?? []);
  });
});

for (const chart of chartsOf("distribution")) controlsOf(chart.figure).append(labelled("Topic", topicControl("none marked")));

// --- coverage ---

const coverageChart = facts.coverage ? chartsOf("coverage")[0] : undefined;
if (coverageChart) controlsOf(coverageChart.figure).append(labelled("Topics", topicControl("all topics")));

function coverageOf(at) { // [run][band]: the share that is judged, null where a list has no document
  const { judged, held, widths } = facts.coverage;
  return judged[at].map((line, run) => [...line].map((mark, band) => {
    const documents = held ? parseInt(held[at][run][band], 36) : widths[band];
    return mark === "-" || documents === 0 ? null : parseInt(mark, 36) / documents;
  }));
}

function showCoverage() {
  const at = chosenTopic === null ? -1 : facts.coverage.topics.indexOf(chosenTopic);
  if (chosenTopic === null) return coverageChart.show(null);
  const spec = structuredClone(coverageChart.first), [[first]] = [...unitsOf(spec)];
  const [runs, heads] = [first.encoding.y.sort, first.encoding.x.sort], shares = at < 0 ? [] : coverageOf(at);
  const rows = shares.flatMap((line, run) => line.map((share, band) => ({ run: runs[run], rank: heads[band], share, text: String(Math.round(share * 100)) })));
  spec.datasets = { ...spec.datasets, ofTopic: rows.filter((row) => row.share !== null) };
  if (spec.data) spec.data = { name: "ofTopic" };
  for (const [unit] of unitsOf(spec)) if (unit.data) unit.data = { name: "ofTopic" };
  const caption = at < 0 ? `No document of topic ${topicWords(chosenTopic)} was judged.`
    : `Topic ${topicWords(chosenTopic)} alone: how much was judged of the documents at each rank, in percent. The stronger the colour, the more was judged.`;
  const table = tableOf(["run", ...heads], shares.map((line, run) => [runs[run], ...line.map((share) => (share === null ? "\u2013" : `${Math.round(share * 100)} %`))]), [false, ...heads.map(() => true)]);
  return coverageChart.show({ spec, words: caption, caption, table });
}

function chooseTopic(at) {
  chosenTopic = at;
  topicControls.forEach((control) => { control.value = at === null ? "" : String(at); });
  sayChoice("topic", at === null ? null : `Topic ${topicWords(at)} is marked in charts of topics.`, () => chooseTopic(null));
  chartsOf("distribution", "deltas").forEach((chart) => chart.signal("chosenTopic", chosenName()));
  if (coverageChart) showCoverage();
  showLists();
}
