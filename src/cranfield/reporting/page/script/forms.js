// Figures that come in several forms, such as one for each measure: the reader chooses.

for (const chart of charts) {
  const forms = [...chart.figure.querySelectorAll(":scope > template")];
  if (!forms.length) continue;
  const first = chart.figure.dataset.form;
  const options = [first, ...forms.map((form) => form.dataset.form)].map((name) => [name, name]);
  const choose = (name) => {
    const form = forms.find((each) => each.dataset.form === name);
    if (!form || name === first) return chart.show(null);
    const content = form.content.cloneNode(true);
    const caption = content.querySelector("p").textContent;
    content.querySelector("p").remove();
    return chart.show({ spec: read(form.dataset.chart), words: form.dataset.words, caption, table: content });
  };
  controlsOf(chart.figure).append(labelled(chart.figure.dataset.choice, selection(options, first, choose)));
}
