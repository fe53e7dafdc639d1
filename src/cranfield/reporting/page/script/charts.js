// Charts: still pictures are replaced by ones that answer to the pointer, when a reader comes near them.

async function drawChart(place) {
  const spec = read(place.dataset.chart);
  const options = { actions: false, ast: true, renderer: "svg", defaultStyle: false, tooltip: showTip, logLevel: 1 };
  const shown = dark.matches ? painted(spec, read("colours")) : spec;
  const board = document.createElement("div");
  place.replaceChildren(board);
  place.hidden = false;
  try {
    await window.vegaEmbed(board, shown, options);
    board.querySelectorAll("form:empty").forEach((form) => form.remove()); // there is nothing to be filled in
    const picture = board.querySelector("svg");
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    const figure = place.closest("figure");
    const [title, words] = figure.querySelectorAll(".still title, .still desc");
    for (const each of picture.querySelectorAll("[role]")) { // parts of a picture that is described as a whole
      ["role", "aria-roledescription", "aria-label"].forEach((name) => each.removeAttribute(name));
    }
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", `${title.textContent}. ${words.textContent}`);
    for (const each of picture.querySelectorAll("[id]")) { // names inside a picture are those of no other picture
      const name = each.id;
      each.id = `${place.dataset.chart}-${name}`;
      picture.querySelectorAll(`[fill="url(#${CSS.escape(name)})"]`).forEach((one) => one.setAttribute("fill", `url(#${each.id})`));
      picture.querySelectorAll(`[clip-path="url(#${CSS.escape(name)})"]`).forEach((one) => one.setAttribute("clip-path", `url(#${each.id})`));
    }
    figure.classList.add("drawn");
  } catch (problem) {
    place.hidden = true; // the still picture stays
    console.warn(problem);
  }
}

const places = [...document.querySelectorAll("[data-chart]")];
const drawn = new Set();
const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting && !drawn.has(target)) {
      drawn.add(target);
      drawChart(target.querySelector("[data-chart]"));
    }
  }
}, { rootMargin: "400px" });
for (const place of places) near.observe(place.closest("figure"));
dark.addEventListener("change", () => drawn.forEach((figure) => drawChart(figure.querySelector("[data-chart]"))));
