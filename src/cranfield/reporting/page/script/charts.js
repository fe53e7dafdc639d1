// Charts: still pictures are replaced by ones that answer to the pointer, when a reader comes near them.

const OPTIONS = { mode: "vega-lite", actions: false, ast: true, renderer: "svg", defaultStyle: false, logLevel: 1 };
const shapers = []; // (spec, chart) => nothing: what other parts add to a specification before it is drawn
const followers = []; // (chart) => nothing: what other parts do when a chart has been drawn

class Chart { // a figure of the page; `shown` is what a reader chose to see in its place, if anything
  constructor(figure) {
    this.figure = figure;
    this.kind = figure.dataset.kind;
    this.place = figure.querySelector("[data-chart]");
    this.words = [...figure.querySelectorAll(".still title, .still desc")].map((each) => each.textContent).join(". ");
    this.shown = null;
    this.turn = 0;
  }

  get first() {
    this.kept ??= read(this.place.dataset.chart);
    return this.kept;
  }

  show(shown) { // { spec, words, caption, table }, or null: as the page was written
    this.shown = shown;
    this.figure.classList.toggle("changed", shown !== null);
    beside(this.figure.querySelector("figcaption"), (now) => now.append(shown?.caption ?? ""));
    beside(this.figure.querySelector(":scope > details"), (now) => now.append(shown?.table ?? ""));
    return this.draw();
  }

  async draw() {
    this.turn += 1;
    const turn = this.turn, board = document.createElement("div");
    const spec = structuredClone(this.shown?.spec ?? this.first);
    shapers.forEach((shape) => shape(spec, this));
    try {
      const found = await window.vegaEmbed(board, dark.matches ? painted(spec, read("colours")) : spec, { ...OPTIONS, tooltip: showTip });
      if (turn !== this.turn) return void found.finalize(); // the reader has chosen something else meanwhile
      this.found?.finalize();
      this.found = found;
      this.view = found.view;
      board.querySelectorAll("form:empty").forEach((form) => form.remove()); // there is nothing to be filled in
      this.place.replaceChildren(board);
      this.place.hidden = false;
      this.tidy();
      this.figure.classList.add("drawn");
      followers.forEach((follow) => follow(this));
    } catch (problem) {
      this.place.hidden = true; // the still picture stays
      console.warn(problem);
    }
  }

  async signal(name, value) { // a choice of the page, told to the chart; charts that are not drawn yet learn it then
    if (!this.view) return;
    this.view.signal(name, value);
    await this.view.runAsync();
    this.tidy();
  }

  tidy() { // one picture with one description, as wide as its place, whose parts have names of their own
    const picture = this.place.querySelector("svg");
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    for (const each of picture.querySelectorAll("[role]")) {
      ["role", "aria-roledescription", "aria-label"].forEach((name) => each.removeAttribute(name));
    }
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", this.shown?.words ?? this.words);
    const own = `${this.place.dataset.chart}-`;
    for (const each of picture.querySelectorAll(`[id]:not([id^="${own}"])`)) {
      const name = each.id;
      each.id = own + name;
      for (const paint of ["fill", "clip-path"]) {
        picture.querySelectorAll(`[${paint}="url(#${CSS.escape(name)})"]`).forEach((one) => one.setAttribute(paint, `url(#${each.id})`));
      }
    }
  }
}

function beside(element, fill) { // what stands in the place of an element's content while a chart is changed
  if (!element.querySelector(":scope > .now")) {
    const kind = element.nodeName === "DETAILS" ? "div" : "span";
    const then = document.createElement(kind), now = document.createElement(kind);
    then.className = "then";
    now.className = "now";
    then.append(...[...element.childNodes].filter((each) => !["B", "SUMMARY"].includes(each.nodeName)));
    element.append(kind === "span" ? " " : "", then, now);
  }
  const now = element.querySelector(":scope > .now");
  now.replaceChildren();
  fill(now);
}

const charts = [...document.querySelectorAll("figure[data-kind]")].map((figure) => new Chart(figure));
const chartsOf = (...kinds) => charts.filter((chart) => kinds.includes(chart.kind));

function watchCharts() {
  const wanted = new Set();
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const chart = charts.find((each) => each.figure === target);
      if (isIntersecting && !wanted.has(chart)) {
        wanted.add(chart);
        if (chart.turn === 0) chart.draw();
      }
    }
  }, { rootMargin: "400px" });
  charts.forEach((chart) => near.observe(chart.figure));
  dark.addEventListener("change", () => charts.filter((chart) => chart.view).forEach((chart) => chart.draw()));
}
