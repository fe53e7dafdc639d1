// Text of a document by offsets: its nodes one after the other, and marks around parts of them.

export function textNodes(article) {
  const walker = article.ownerDocument.createTreeWalker(article, 4); // text
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}

// Put marks of a kind around the characters from begin to end; returns them.
export function wrap(article, begin, end, kind) {
  const marks = [];
  let at = 0;
  for (const node of textNodes(article)) {
    const from = Math.max(0, begin - at);
    const to = Math.min(node.length, end - at);
    at += node.length;
    if (from >= to || !node.data.slice(from, to).trim()) continue;
    const range = node.ownerDocument.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    const mark = node.ownerDocument.createElement("mark");
    mark.className = kind;
    range.surroundContents(mark);
    marks.push(mark);
  }
  return marks;
}

export function unmark(article, kind) {
  for (const mark of article.querySelectorAll(`mark.${kind}`)) {
    const parent = mark.parentNode;
    mark.classList.remove(kind, "here");
    if (!mark.className) mark.replaceWith(...mark.childNodes);
    parent.normalize();
  }
}

// Offsets are counted in characters, as the server does; a browser counts UTF-16 units.
export const characters = (text) => [...text].length;
export function units(text, count) {
  let at = 0;
  for (const letter of text) {
    if (count <= 0) break;
    count -= 1;
    at += letter.length;
  }
  return at;
}

// Where a point of the page lies in the text of the article, in units.
export function place(article, node, offset) {
  const range = article.ownerDocument.createRange();
  range.selectNodeContents(article);
  range.setEnd(node, offset);
  return range.toString().length;
}
