"use strict";

/* One measure of all points: against the values of a key, or point by point. */

const { columns, rows } = report.table;
const choice = { column: columns.findIndex((_, column) => isMeasured(column)), sweep: sweeps[0] ?? null, zoom: null };
const SWEEP_HEIGHT = 320;
const TICK_CHARACTER = 7;
const TICK_GAP = 12;
const STEPS = [1, 2, 5, 10];
const BESIDE = 3;
const MOST_BESIDE = 8;
let sweepPlot = null;

function isMeasured(column) {
  return rows.some((row) => row.cells[column] !== null);
}

/* Figures */

const cellOf = (row) => rows[row].cells[choice.column];
const inUnit = (value) => value / columns[choice.column].size;
const publishedAt = (row) => report.published.filter((one) => one.row === row && one.column === choice.column);
const nameOf = ({ name, unit }) => (unit ? `${name}, ${unit}` : name);

function figureText({ centre, interval }) {
  if (!interval || interval[0].text === interval[1].text) return centre.text;
  return `${centre.text} (${interval[0].text}–${interval[1].text})`;
}

/* Everything that is drawn of a row, in the unit of the column. */
function valuesOf(row) {
  const { centre, interval, seeds } = cellOf(row);
  return {
    centre: inUnit(centre.value),
    interval: interval?.map(({ value }) => inUnit(value)),
    seeds: seeds.length > 1 ? seeds.map(inUnit) : [],
    published: publishedAt(row).map(({ figure }) => inUnit(figure.value)),
  };
}

/* From zero, or from the least of negative values, to a little above the largest. */
function rangeOf(drawn) {
  const values = drawn.flatMap(({ centre, interval, seeds, published }) => [centre, ...(interval ?? []), ...seeds, ...published]);
  const low = values.reduce((least, value) => Math.min(least, value), 0);
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  return [low * 1.06, high * 1.06 || 1];
}

/* Against a key */

function drawSweep(sweep, place) {
  const xOf = (row) => sweep.x[rows[row].point];
  const shown = sweep.lines
    .map((line) => ({ ...line, rows: line.rows.filter((row) => cellOf(row) !== null && !rows[row].one_of_many) }))
    .filter((line) => line.rows.length);
  for (const line of shown) line.values = line.rows.map(valuesOf);
  const xs = [...new Set(shown.flatMap((line) => line.rows.map(xOf)))].sort((a, b) => a - b);
  const series = shown.map((line) => {
    const centres = new Map(line.rows.map((row, index) => [xOf(row), line.values[index].centre]));
    return xs.map((x) => centres.get(x) ?? null);
  });
  const [first, last] = [xs[0], xs.at(-1)];
  const margin = 0.04 * (last - first) || 1;
  const yRange = rangeOf(shown.flatMap((line) => line.values));
  const legend = sweepLegend(sweep, shown, xOf);
  const plot = element("div");
  place.replaceChildren(legend.list, plot);
  const axis = { stroke: styleOf("--soft"), font: "12px system-ui, sans-serif", ticks: { show: false },
    grid: { stroke: styleOf("--grid"), width: 1 } };
  const ticks = new Map(sweep.ticks ?? []);
  sweepPlot = new uPlot({
    width: place.clientWidth,
    height: SWEEP_HEIGHT,
    padding: [12, 12, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false },
      bind: { dblclick: () => () => zoomSweep(null) },
    },
    scales: {
      x: { time: false, range: () => choice.zoom ?? [first - margin, last + margin] },
      y: { range: () => yRange },
    },
    axes: [
      { ...axis, size: TIME_AXIS_HEIGHT, label: sweep.label, labelSize: TIME_LABEL_HEIGHT, labelFont: axis.font,
        ...(sweep.ticks ? { splits: (u) => fittingTicks(u, sweep.ticks), values: (_, splits) => splits.map((at) => ticks.get(at)) }
          : { values: (_, splits) => splits.map((tick) => tick.toLocaleString("en-US")) }) },
      { ...axis, size: VALUE_AXIS_WIDTH, space: 34, values: (_, splits) => splits.map((tick) => tick.toLocaleString("en-US")) },
    ],
    series: [{}, ...shown.map((line) => (
      { stroke: colourOf(line), width: 1.5, spanGaps: true, points: { show: true, size: 6, fill: colourOf(line) } }))],
    hooks: {
      drawAxes: [(u) => shadeMarks(u, sweep.marks)],
      drawSeries: [(u, index) => index > 0 && drawSpread(u, shown[index - 1], xOf, aside(index - 1, shown.length))],
      draw: [(u) => nameMarks(u, sweep.marks)],
      setCursor: [(u) => legend.read(u.cursor.left >= 0 && u.cursor.idx !== null ? xs[u.cursor.idx] : null)],
      setSelect: [(u) => {
        const { left, width } = u.select;
        if (width < 4) return;
        u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
        zoomSweep([u.posToVal(left, "x"), u.posToVal(left + width, "x")]);
      }],
    },
  }, [xs, ...series], plot);
}

function zoomSweep(range) {
  choice.zoom = range;
  sweepPlot.setData(sweepPlot.data);
}

/* The ticks in view whose labels do not touch; the last one goes before those on its left. */
function fittingTicks(plot, ticks) {
  const { min, max } = plot.scales.x;
  const wide = plot.bbox.width / devicePixelRatio || plot.width - VALUE_AXIS_WIDTH;
  const spans = ticks.filter(([at]) => at >= min && at <= max).map(([at, label]) => {
    const middle = ((at - min) / (max - min)) * wide;
    const half = (TICK_CHARACTER * label.length + TICK_GAP) / 2;
    return { at, from: middle - half, to: middle + half };
  });
  const last = spans.at(-1);
  let end = -Infinity;
  return spans.filter((span) => {
    const free = span === last || (span.from >= end && span.to <= last.from);
    if (free) end = span.to;
    return free;
  }).map(({ at }) => at);
}

/* How far a line's whiskers stand beside its points, so that those of a few lines do not hide each other. */
const aside = (index, lines) => (lines > MOST_BESIDE ? 0 : BESIDE * (index - (lines - 1) / 2));

/* Seeds as faint dots, the interval as a whisker, published figures as diamonds. */
function drawSpread(plot, line, xOf, beside) {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const yAt = (value) => plot.valToPos(value, "y", true);
  const { left, top, width, height } = plot.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top - 4 * ratio, width, height + 8 * ratio);
  ctx.clip();
  ctx.strokeStyle = ctx.fillStyle = colourOf(line);
  ctx.lineWidth = 1.2 * ratio;
  line.rows.forEach((row, index) => {
    const { interval, seeds, published } = line.values[index];
    const x = plot.valToPos(xOf(row), "x", true) + beside * ratio;
    ctx.globalAlpha = 0.28;
    for (const seed of seeds) {
      ctx.beginPath();
      ctx.arc(x, yAt(seed), 2.2 * ratio, 0, 2 * Math.PI);
      ctx.fill();
    }
    ctx.globalAlpha = 1;
    ctx.beginPath();
    if (interval) {
      const [low, high] = interval.map(yAt);
      ctx.moveTo(x, low);
      ctx.lineTo(x, high);
      for (const end of [low, high]) {
        ctx.moveTo(x - 4 * ratio, end);
        ctx.lineTo(x + 4 * ratio, end);
      }
    }
    for (const value of published) {
      const y = yAt(value);
      ctx.moveTo(x - 5 * ratio, y);
      for (const [dx, dy] of [[0, -5], [5, 0], [0, 5], [-5, 0]]) ctx.lineTo(x + dx * ratio, y + dy * ratio);
    }
    ctx.stroke();
  });
  ctx.restore();
}

const sidesOf = (plot, { from, to }) => [Math.min(from, to), Math.max(from, to)].map((at) => plot.valToPos(at, "x", true));

/* Under the lines; at least as wide as can be seen. */
function shadeMarks(plot, marks) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = styleOf("--mark");
  for (const mark of marks) {
    const [left, right] = sidesOf(plot, mark);
    const width = Math.max(right - left, 3 * devicePixelRatio);
    ctx.fillRect((left + right - width) / 2, bbox.top, width, bbox.height);
  }
  ctx.restore();
}

/* Beside their bands, each on a line of its own so that near ones do not touch. */
function nameMarks(plot, marks) {
  const { ctx, bbox } = plot;
  ctx.save();
  const seen = marks.map((mark) => [mark, ...sidesOf(plot, mark)]);
  seen.filter(([, left, right]) => right >= bbox.left && left <= bbox.left + bbox.width).forEach(([mark, left, right], index) => {
    const toRight = (left + right) / 2 < bbox.left + bbox.width / 2;
    const y = bbox.top + (4 + 15 * index) * devicePixelRatio;
    write(ctx, mark.text, toRight ? right + 6 * devicePixelRatio : left - 6 * devicePixelRatio, y, toRight ? "left" : "right", "top");
  });
  ctx.restore();
}

/* The lines by name, with their figures under the cursor. */
function sweepLegend(sweep, shown, xOf) {
  const items = shown.map((line) => {
    const swatch = element("span", { className: "swatch" });
    swatch.style.borderColor = colourOf(line);
    const figure = element("output");
    return { line, figure, item: element("li", {}, swatch, element("span", {}, line.label || columns[choice.column].name), figure) };
  });
  const value = element("li", { className: "at" }, "\u00a0");
  const list = element("ul", { className: "sweep-legend" }, value, ...items.map(({ item }) => item));
  let readAt = null;
  const read = (x) => {
    if (x === readAt) return;
    readAt = x;
    const point = sweep.x.indexOf(x);
    value.textContent = x === null ? "\u00a0" : `at ${report.points[point].values[sweep.key]}`;
    for (const { line, figure } of items) {
      const row = line.rows.find((row) => xOf(row) === x);
      figure.textContent = row === undefined ? "" : figureText(cellOf(row));
    }
  };
  return { list, read };
}

/* Point by point */

function drawDots(place) {
  const shown = rowLines.map((line) => ({ ...line, row: line.rows[0] })).filter(({ row }) => cellOf(row) !== null && !rows[row].one_of_many);
  for (const line of shown) line.values = valuesOf(line.row);
  const [low, high] = rangeOf(shown.map((line) => line.values));
  const x = (value) => `${((100 * (value - low)) / (high - low)).toFixed(2)}%`;
  const ticks = roundTicks(low, high);
  const body = shown.map((line) => element("tr", {}, element("th", {}, line.label), element("td", {}, track(line, x, ticks)),
    element("td", { className: "number" }, figureText(cellOf(line.row)))));
  const labels = ticks.map((tick) => {
    const label = element("span", {}, tick.toLocaleString("en-US"));
    label.style.left = x(tick);
    return label;
  });
  const foot = element("tfoot", {}, element("tr", {}, element("th"), element("td", {}, element("div", { className: "ticks" }, ...labels)),
    element("td", { className: "number" }, columns[choice.column].unit)));
  const table = element("table", { className: "dots" }, element("tbody", {}, ...body), foot);
  place.replaceChildren(element("div", { className: "dots-frame" }, table));
}

function roundTicks(low, high) {
  const rough = (high - low) / 6;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = STEPS.map((one) => one * magnitude).find((one) => one >= rough) ?? rough;
  const ticks = [];
  for (let index = Math.ceil(low / step); index * step <= high; index += 1) ticks.push(Number((index * step).toPrecision(12)));
  return ticks;
}

/* One row: in percent of its width, so that it fits every page. Nothing but numbers is in it. */
function track(line, x, ticks) {
  const { centre, interval, seeds, published } = line.values;
  const upright = (name, value, from, to) => `<line class="${name}" x1="${x(value)}" x2="${x(value)}" y1="${from}" y2="${to}"/>`;
  const dot = (name, value, r) => `<circle class="${name}" cx="${x(value)}" cy="50%" r="${r}"/>`;
  const parts = [
    ...ticks.map((tick) => upright("tick", tick, "0", "100%")),
    ...seeds.map((seed) => dot("seed", seed, 3)),
    interval ? `<line class="interval" x1="${x(interval[0])}" x2="${x(interval[1])}" y1="50%" y2="50%"/>` : "",
    upright("centre", centre, "15%", "85%"),
    ...published.map((value) => `<svg class="published" x="${x(value)}" y="50%"><path d="M-5 0L0 -5L5 0L0 5z"/></svg>`),
  ];
  const holder = element("div", { innerHTML: `<svg class="track" aria-hidden="true">${parts.join("")}</svg>` });
  holder.style.color = colourOf(line);
  return holder;
}

/* Choice */

function drawFigure() {
  const place = document.getElementById("figure");
  const grids = [...document.querySelectorAll(".grid")];
  for (const grid of grids) grid.hidden = Number(grid.dataset.column) !== choice.column;
  sweepPlot?.destroy();
  sweepPlot = null;
  const { sweep } = choice;
  document.querySelector("#choice .hint").textContent = sweep ? "point to read values, drag to zoom, double click for all" : "";
  if (sweep) drawSweep(sweep, place);
  else drawDots(place);
}

function drawChoice() {
  const measure = document.getElementById("measure");
  const known = columns.map((column, index) => [column, index]).filter(([, index]) => isMeasured(index));
  measure.append(...known.map(([column, index]) => element("option", { value: index }, nameOf(column))));
  measure.addEventListener("change", () => {
    choice.column = Number(measure.value);
    drawFigure();
  });
  const against = document.getElementById("against");
  const keys = sweeps.map(({ key }, index) => element("option", { value: index }, report.keys[key]));
  against.append(...keys, element("option", { value: "" }, "each point"));
  against.parentElement.hidden = !sweeps.length;
  against.addEventListener("change", () => {
    choice.sweep = sweeps[against.value] ?? null;
    choice.zoom = null;
    drawFigure();
  });
  document.getElementById("choice").hidden = false;
  document.getElementById("figure").hidden = false;
}

function fitFigure() {
  const width = document.getElementById("figure").clientWidth;
  if (sweepPlot && width !== sweepPlot.width) sweepPlot.setSize({ width, height: SWEEP_HEIGHT });
}

/* A few single figures stand in the table already. */
const worthwhile = sweeps.length || rows.some((row) => row.seeds > 1);
if (report.points.length > 1 && choice.column >= 0 && worthwhile) {
  drawChoice();
  drawFigure();
  redraws.push(drawFigure);
  new ResizeObserver(fitFigure).observe(document.getElementById("figure"));
}
