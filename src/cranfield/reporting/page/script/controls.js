// Controls: what a reader chooses with, made by the script because nothing answers without it.

let made = 0;

function labelled(words, control) { // a control with a label that belongs to it
  made += 1;
  const box = document.createElement("span"), label = document.createElement("label");
  control.id = `control-${made}`;
  label.htmlFor = control.id;
  label.textContent = words;
  box.className = "control";
  box.append(...(control.type === "checkbox" ? [control, " ", label] : [label, " ", control]));
  return box;
}

function selection(options, chosen, changed) { // options: [value, words]
  const select = document.createElement("select");
  for (const [value, words] of options) select.add(new Option(words, value, false, value === chosen));
  select.addEventListener("change", () => changed(select.value));
  return select;
}

function button(words, pressed) {
  const found = document.createElement("button");
  found.type = "button";
  found.textContent = words;
  found.addEventListener("click", pressed);
  return found;
}

function controlsOf(figure) { // the row of controls above a chart
  let row = figure.querySelector(":scope > .controls");
  if (!row) {
    row = document.createElement("div");
    row.className = "controls";
    figure.prepend(row);
  }
  return row;
}

function tableOf(heads, rows, numeric) { // a table like those that the page is written with
  const table = document.createElement("table"), body = table.createTBody(), head = table.createTHead().insertRow();
  const filled = (row, texts, name) => texts.forEach((text, at) => {
    const cell = document.createElement(at === 0 || name === "col" ? "th" : "td");
    if (cell.nodeName === "TH") cell.scope = name;
    cell.className = numeric[at] ? "n" : "";
    cell.textContent = text;
    row.append(cell);
  });
  filled(head, heads, "col");
  rows.forEach((texts) => filled(body.insertRow(), texts, "row"));
  const box = document.createElement("div");
  box.className = "scroll";
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Data");
  box.append(table);
  return box;
}

const signed = (value) => (value === null ? "\u2013" : `${value < 0 ? "\u2212" : "+"}${Math.abs(value).toFixed(4)}`);
