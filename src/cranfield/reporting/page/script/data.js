"use strict";
// Blocks of data on the page, and whether the reader's screen is dark.

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const read = (name) => JSON.parse(document.getElementById(name).textContent);
