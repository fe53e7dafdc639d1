// What a mark of a chart says to the pointer.

const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
tip.setAttribute("role", "tooltip");
document.body.append(tip);

function aboutTopic(value) { // the text of a topic, where the page knows it
  const text = facts.titles?.[facts.topics.indexOf(value.topic)];
  return text ? { text } : {};
}

function aboutDocument(value) { // the title of a document, where the page knows it
  const title = facts.documents?.[value.document];
  return title ? { title } : {};
}

function showTip(_, event, __, value) {
  tip.hidden = value === null || value === undefined || value === "";
  if (tip.hidden) return;
  tip.replaceChildren();
  if (typeof value === "object") {
    const list = document.createElement("dl");
    for (const [name, each] of Object.entries({ ...value, ...aboutTopic(value), ...aboutDocument(value) })) {
      const term = document.createElement("dt"), said = document.createElement("dd");
      term.textContent = name;
      said.textContent = String(RUN.includes(name) ? wholeName(each) : each);
      list.append(term, said);
    }
    tip.append(list);
  } else {
    tip.textContent = String(value);
  }
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(event.clientX + 12, innerWidth - box.width - 8))}px`;
  tip.style.top = `${Math.max(4, Math.min(event.clientY + 12, innerHeight - box.height - 8))}px`;
}
