// A specification of a chart in the colours of a dark page.

const DATA = new Set(["values", "datasets", "domain", "sort"]);
const WORDS = new Set(["title", "text"]);

const isData = (name, part) => DATA.has(name) || (WORDS.has(name) && (typeof part === "string" || Array.isArray(part)));

function painted(part, colours) { // a specification in the colours of a dark page
  if (Array.isArray(part)) return part.map((each) => painted(each, colours));
  if (part !== null && typeof part === "object") {
    const entries = Object.entries(part);
    return Object.fromEntries(entries.map(([name, each]) => [name, isData(name, each) ? each : painted(each, colours)]));
  }
  return typeof part === "string" && Object.hasOwn(colours, part) ? colours[part] : part;
}
