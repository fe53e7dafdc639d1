// How much of the window the bars that stay in sight take: styles place the grades below them.

export function measure(section) {
  const bar = document.querySelector(".sticky");
  const stays = [".need", ".need h1"].map((name) => section.querySelector(name))
    .find((one) => getComputedStyle(one).position === "sticky" && one.offsetHeight);
  document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
  document.documentElement.style.setProperty("--need", `${bar.offsetHeight + (stays?.offsetHeight ?? 0)}px`);
}
