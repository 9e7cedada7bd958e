"use strict";

const rows = [...document.querySelectorAll("#runs tbody tr")];
const wanted = document.getElementById("filter");
const beside = document.getElementById("beside");
const hint = document.getElementById("chosen");

wanted.addEventListener("input", () => {
  const words = wanted.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
  }
});

/* The two runs chosen last, beside each other. */
const chosen = [];

function choose(box) {
  const at = chosen.indexOf(box);
  if (at >= 0) chosen.splice(at, 1);
  if (box.checked) chosen.push(box);
  if (chosen.length > 2) chosen.shift().checked = false;
  const runs = chosen.map((box) => box.closest("tr").dataset);
  hint.textContent = runs.length === 2 ? `goodput compare ${runs[0].word} ${runs[1].word} --page FILE.html` : "";
  const frames = runs.length === 2 ? runs : [];
  beside.replaceChildren(...frames.map(({ page }) => Object.assign(document.createElement("iframe"), { src: page, title: page })));
}

for (const row of rows) {
  const box = row.querySelector("input");
  box.addEventListener("change", () => choose(box));
}
document.getElementById("controls").hidden = false;
