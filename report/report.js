"use strict";

const report = JSON.parse(document.getElementById("data").textContent);
const { lines, one_by_one: oneByOne } = report;

/* The plots, top to bottom: whose curves, and the limits of the path drawn across. Those without a curve are left out. */
const curves = (key, limit) => (trace) => trace.flows.filter((flow) => flow[key].t.length).map((flow) => flow[limit]);
const pings = report.traces.some((trace) => trace.flows.some((flow) => flow.congestion === "ping"));
const PANELS = [
  { key: "cwnd", title: "Congestion window", unit: "packets", note: "dashed: ssthresh", of: "flow", dashed: "ssthresh",
    limit: { name: "BDP", above: true, values: curves("cwnd", "bdp") } },
  { key: "goodput", title: "Goodput", unit: "Mbit/s", note: `${report.bin} ms bins of bytes in order: a filled hole counts at once`, of: "flow",
    moments: { name: "steady state", key: "steady" },
    limit: { name: "link rate", above: true, values: (trace) => trace.lanes.map((lane) => lane.rate) } },
  { key: "rtt", title: "Round-trip time", unit: "ms", note: pings ? "TCP: smoothed; pings: each" : "smoothed", of: "flow",
    limit: { name: "base RTT", above: false, values: curves("rtt", "base_rtt") } },
  { key: "exchange", title: "Response time", unit: "ms", note: "request to response", of: "flow" },
  { key: "queue", title: "Queue", unit: report.queue_unit, note: "backlog at the bottleneck", of: "lane",
    limit: { name: "capacity", above: true, reach: 4, values: (trace) => trace.lanes.map((lane) => lane.capacity) } },
].filter(({ key, of }) => report.traces.some((trace) => trace[of + "s"].some((one) => one[key].t.length)));
const SSTHRESH = { key: "ssthresh", title: "ssthresh", unit: "packets", of: "flow" };
const ACCOUNT = { key: "account", title: "Limited by", unit: "likeliest", of: "flow" };
const accounted = report.traces.some((trace) => trace.flows.some((flow) => flow.account.length));
const COLUMNS = PANELS.flatMap((panel) => (panel.dashed ? [panel, SSTHRESH] : [panel])).concat(accounted ? [ACCOUNT] : []);

/* The states of the account, each with a colour of Okabe and Ito's or Tol's; its name stands in it where there is room. */
const STATES = {
  "slow start": "#44aa99", "climbing": "#88ccee", "recovering": "#cc6677", "queue": "#ddaa33", "held by the receiver": "#6a5acd",
  "held by the sender": "#0072b2", "window or buffer": "#5588bb", "program": "#999933", "silence": "#999999", "fixed rate": "#aa4499",
  "shared": "#b9a05a", "other": "#777777",
};

const ALL = "all";
const SHOWN_AT_FIRST = 8;
const PLOT_HEIGHT = 170;
const TIME_AXIS_HEIGHT = 26;
const TIME_LABEL_HEIGHT = 18;
const VALUE_AXIS_WIDTH = 62;
const PRINT_WIDTH = 660;
const FEW_POINTS = 60;
const MOST_MOMENTS = 20;
const STRIP_HEIGHT = 22;

const isDrawn = (trace) => [...trace.flows, ...trace.lanes].some((one) => Object.values(one).some((curve) => curve?.t?.length));
const seeds = [...new Set(report.traces.filter(isDrawn).map((trace) => trace.seed))];
const state = { seed: seeds[0], point: oneByOne ? 0 : null, shown: new Set(), limits: true, zoom: null };
const listed = () => lines.filter((line) => state.point === null || line.point === state.point);

function showFirst() {
  const all = listed();
  const early = ({ point }) => all.filter((line) => line.flow !== null && line.point <= point).length <= SHOWN_AT_FIRST;
  state.shown = new Set(all.filter((line) => line.point === all[0].point || early(line)));
}

let plots = [];
let readAt = null;

/* Data */

const tracesOf = (line) => report.traces.filter((trace) => trace.point === line.point);
const tracesShown = (line) => tracesOf(line).filter((trace) => state.seed === ALL || trace.seed === state.seed);

function curveOf(line, trace, column) {
  const index = line[column.of];
  const curve = index === null ? null : trace[column.of + "s"][index][column.key];
  return curve && curve.t.length ? curve : null;
}

const largest = (values) => values.reduce((most, value) => (value > most ? value : most), 0);
const duration = largest(lines.flatMap((line) => tracesOf(line).flatMap((trace) => [
  ...trace.flows.flatMap((flow) => ["cwnd", "goodput", "rtt", "exchange"].map((key) => flow[key].t.at(-1) ?? 0)),
  ...trace.lanes.map((lane) => lane.queue.t.at(-1) ?? 0),
])));

/* Over all seeds, so that the axis stands still while the reader goes from seed to seed. A limit beyond its panel's reach, in
   heights of the curves, is left out: it would flatten them. */
function ceiling(panel) {
  const tops = [...state.shown].flatMap((line) => tracesOf(line).map((trace) => largest(curveOf(line, trace, panel)?.y ?? [])));
  const top = largest(tops);
  const reach = top * (panel.limit?.reach ?? Infinity);
  const limits = limitsOf(panel).filter((value) => top === 0 || value <= reach);
  return largest([1.06 * top, 1.16 * largest(limits), 1e-9]);
}

function limitsOf(panel) {
  if (!state.limits || !panel.limit) return [];
  const values = [...state.shown].flatMap((line) => tracesOf(line).flatMap(panel.limit.values));
  return [...new Set(values)].filter((value) => value !== null);
}

/* The last sample at or before a time. */
function valueAt(curve, time) {
  let low = 0;
  let high = curve.t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (curve.t[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? null : curve.y[low - 1];
}

/* Text */

function format(value) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function element(name, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

/* Colours */

let printing = false;
const darkScheme = matchMedia("(prefers-color-scheme: dark)");
const colourOf = (line) => (darkScheme.matches && !printing ? line.dark : line.light);
const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/* Plots */

function seriesOf(panel) {
  const thin = state.seed === ALL;
  const made = [];
  for (const line of lines.filter((line) => state.shown.has(line))) {
    for (const trace of tracesShown(line)) {
      const add = (column, dash) => {
        const curve = curveOf(line, trace, column);
        if (curve) made.push({ curve, stroke: colourOf(line), width: dash && dash !== line.dash ? 1 : thin ? 0.7 : 1.5, dash });
      };
      add(panel, line.dash);
      if (panel.dashed && !thin) add({ key: panel.dashed, of: panel.of }, [5, 4]);
    }
  }
  return made;
}

function drawPanel(panel, place, last) {
  const series = seriesOf(panel);
  const tables = series.map(({ curve }) => [curve.t, curve.y]);
  const data = tables.length ? uPlot.join(tables) : [[0, duration]];
  const top = ceiling(panel);
  const axis = { stroke: styleOf("--soft"), font: "12px system-ui, sans-serif", ticks: { show: false } };
  const grid = { stroke: styleOf("--grid"), width: 1 };
  const options = {
    width: place.clientWidth,
    height: PLOT_HEIGHT + (last ? TIME_AXIS_HEIGHT + TIME_LABEL_HEIGHT : 0),
    padding: [8, 12, last ? 0 : 8, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      sync: { key: "time", filters: { pub: (type) => !["mousedown", "mouseup", "dblclick"].includes(type) } },
      drag: { x: true, y: false, setScale: false },
      bind: { dblclick: () => () => zoomTo(null) },
    },
    scales: {
      x: { time: false, range: () => state.zoom ?? [0, duration] },
      y: { range: (_, low, high) => (state.zoom && low !== null ? around(low, high, panel) : [0, top]) },
    },
    axes: [
      { ...axis, grid, show: true, size: last ? TIME_AXIS_HEIGHT : 0, label: last ? "time, s" : "", labelSize: TIME_LABEL_HEIGHT,
        labelFont: axis.font, values: (_, ticks) => ticks.map((tick) => (last ? +tick.toFixed(6) : "")) },
      { ...axis, grid, size: VALUE_AXIS_WIDTH, space: 34, values: (_, ticks) => ticks.map((tick) => tick.toLocaleString("en-US")) },
    ],
    series: [{}, ...series.map(({ curve, stroke, width, dash }) => (
      { stroke, width, dash, points: { show: curve.t.length < FEW_POINTS, size: 4, fill: stroke } }))],
    hooks: {
      drawAxes: [(plot) => ruleLimits(plot, panel)],
      draw: [(plot) => nameLimits(plot, panel), (plot) => drawMoments(plot, panel)],
      setCursor: [(plot) => readOut(plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, "x") : null)],
      setSelect: [zoomToSelection],
    },
  };
  return new uPlot(options, data, place);
}

/* The account of the time: a strip for each flow shown, under the same axis. */
function accountsShown() {
  const of = (line) => tracesOf(line)[0]?.flows[line.flow]?.account ?? [];
  return lines.filter((line) => state.shown.has(line) && line.flow !== null && of(line).length).map((line) => ({ line, stays: of(line) }));
}

function drawStrips(place) {
  const strips = accountsShown();
  const options = {
    width: place.clientWidth,
    height: STRIP_HEIGHT * Math.max(1, strips.length) + 6,
    padding: [2, 12, 2, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, sync: { key: "time" }, drag: { x: true, y: false, setScale: false },
      bind: { dblclick: () => () => zoomTo(null) } },
    scales: { x: { time: false, range: () => state.zoom ?? [0, duration] }, y: { range: [0, 1] } },
    axes: [{ show: false }, { size: VALUE_AXIS_WIDTH, ticks: { show: false }, grid: { show: false }, values: () => [] }],
    series: [{}],
    hooks: { draw: [(plot) => strips.forEach((strip, index) => drawStrip(plot, strip, index))], setSelect: [zoomToSelection],
      setCursor: [(plot) => readOut(plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, "x") : null)] },
  };
  return new uPlot(options, [[0, duration]], place);
}

function drawStrip(plot, { line, stays }, index) {
  const { ctx, bbox } = plot;
  const height = STRIP_HEIGHT * devicePixelRatio;
  const top = bbox.top + index * height;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  for (const { from, to, state: name } of stays) {
    const left = Math.max(bbox.left, plot.valToPos(from, "x", true));
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(to, "x", true));
    if (right <= left) continue;
    ctx.fillStyle = STATES[name] ?? STATES.other;
    ctx.fillRect(left, top + 2, Math.max(right - left, 1), height - 4);
    if (ctx.measureText(name).width + 10 * devicePixelRatio < right - left) {
      write(ctx, name, left + 5 * devicePixelRatio, top + height / 2, "left", "middle");
    }
  }
  ctx.restore();
  ctx.fillStyle = colourOf(line);
  ctx.fillRect(bbox.left - 8 * devicePixelRatio, top + 2, 4 * devicePixelRatio, height - 4);
}

function stateKey() {
  const names = new Set(accountsShown().flatMap(({ stays }) => stays.map((stay) => stay.state)));
  const entry = (name) => {
    const swatch = element("span", { className: "box" });
    swatch.style.background = STATES[name] ?? STATES.other;
    return element("span", { className: "state" }, swatch, name);
  };
  return element("p", { className: "key" }, ...Object.keys(STATES).filter((name) => names.has(name)).map(entry));
}

/* The values seen, and a limit if it is near them, with room for its name. */
function around(low, high, panel) {
  const span = high - low || 0.06 * high || 1;
  const near = limitsOf(panel).filter((value) => value > low - 0.3 * span && value < high + 0.3 * span);
  const bottom = Math.min(low - 0.06 * span, ...near.map((value) => value - 0.16 * span));
  return [Math.max(0, bottom), Math.max(high + 0.06 * span, ...near.map((value) => value + 0.16 * span))];
}

/* The limits in view, with their heights on the canvas. */
function limitsInView(plot, panel) {
  const { top, height } = plot.bbox;
  return limitsOf(panel)
    .map((value) => ({ value, y: Math.round(plot.valToPos(value, "y", true)) + 0.5 }))
    .filter(({ y }) => y > top - 2 && y < top + height + 2);
}

/* Under the curves. */
function ruleLimits(plot, panel) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = styleOf("--soft");
  ctx.lineWidth = devicePixelRatio;
  for (const { y } of limitsInView(plot, panel)) {
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

/* Over the curves, on a halo of paper. */
function nameLimits(plot, panel) {
  const { ctx, bbox } = plot;
  ctx.save();
  for (const { value, y } of limitsInView(plot, panel)) {
    const { name, above } = panel.limit;
    const text = `${name} ${format(value)}`;
    write(ctx, text, bbox.left + bbox.width, y + (above ? -4 : 5) * devicePixelRatio, "right", above ? "bottom" : "top");
  }
  ctx.restore();
}

/* Text on a halo of paper. */
function write(ctx, text, x, y, align, baseline) {
  ctx.fillStyle = styleOf("--ink");
  ctx.strokeStyle = styleOf("--paper");
  ctx.lineWidth = 4 * devicePixelRatio;
  ctx.lineJoin = "round";
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textAlign = align;
  ctx.textBaseline = baseline;
  ctx.setLineDash([]);
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
}

/* Dashed verticals in the colours of their lines, of which the first has its name. */
function drawMoments(plot, { moments, of }) {
  if (!moments) return;
  const { ctx, bbox } = plot;
  const seen = [...state.shown].filter((line) => line[of] !== null).flatMap((line) => tracesShown(line)
    .map((trace) => ({ line, time: trace[of + "s"][line[of]]?.[moments.key] ?? null }))
    .filter(({ time }) => time !== null && time >= plot.scales.x.min && time <= plot.scales.x.max));
  if (seen.length > MOST_MOMENTS) return;
  ctx.save();
  for (const { line, time } of seen) {
    const x = plot.valToPos(time, "x", true);
    ctx.strokeStyle = colourOf(line);
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  if (seen.length) {
    const x = plot.valToPos(Math.max(...seen.map(({ time }) => time)), "x", true);
    const right = x < bbox.left + bbox.width / 2;
    write(ctx, moments.name, x + (right ? 5 : -5) * devicePixelRatio, bbox.top, right ? "left" : "right", "top");
  }
  ctx.restore();
}

function zoomToSelection(plot) {
  const { left, width } = plot.select;
  if (width < 4) return;
  plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  zoomTo([plot.posToVal(left, "x"), plot.posToVal(left + width, "x")]);
}

function zoomTo(range) {
  state.zoom = range;
  document.getElementById("reset").hidden = range === null;
  for (const plot of plots) plot.setData(plot.data);
}

/* Legend: a row for each line, which shows its values under the cursor and hides it. */

function drawLegend() {
  const heads = COLUMNS.map(({ title, unit }) => element("th", { className: "number" }, title, element("small", {}, unit)));
  const body = element("tbody", {}, ...listed().map(legendRow));
  const time = element("th", { id: "time" }, "\u00a0");
  const table = element("table", {}, element("thead", {}, element("tr", {}, time, ...heads)), body);
  document.getElementById("legend").replaceChildren(table);
}

function legendRow(line) {
  const box = element("input", { type: "checkbox", checked: state.shown.has(line) });
  box.addEventListener("change", () => {
    if (box.checked) state.shown.add(line);
    else state.shown.delete(line);
    row.className = box.checked ? "" : "off";
    draw();
  });
  const swatch = element("span", { className: "swatch" });
  swatch.style.borderColor = colourOf(line);
  if (line.dash) swatch.style.borderTopStyle = "dashed";
  const label = element("label", {}, box, swatch, line.label);
  const cells = COLUMNS.map(() => element("td", { className: "number" }));
  const row = element("tr", { className: box.checked ? "" : "off" }, element("th", {}, label), ...cells);
  return row;
}

/* With all seeds shown, the read-out gives the range over them. */
function readOut(time) {
  if (time === readAt) return;
  readAt = time;
  document.getElementById("time").textContent = time === null ? "\u00a0" : `at ${time.toFixed(3)} s`;
  const rows = document.querySelectorAll("#legend tbody tr");
  listed().forEach((line, index) => {
    COLUMNS.forEach((column, position) => {
      rows[index].cells[position + 1].textContent =
        time === null || !state.shown.has(line) ? "" : valuesAt(line, column, time);
    });
  });
}

function valuesAt(line, column, time) {
  if (column === ACCOUNT) {
    const stays = tracesOf(line)[0]?.flows[line.flow]?.account ?? [];
    return stays.find(({ from, to }) => time >= from && time < to)?.state ?? "–";
  }
  const curves = tracesShown(line).map((trace) => curveOf(line, trace, column)).filter(Boolean);
  const values = curves.map((curve) => valueAt(curve, time)).filter((value) => value !== null);
  if (!curves.length) return "";
  if (!values.length) return "–";
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return [...new Set([format(low), format(high)])].join("–");
}

/* Page */

function drawControls() {
  if (oneByOne) {
    const place = document.getElementById("point");
    const choose = place.querySelector("select");
    choose.append(...report.points.map((label, index) => element("option", { value: index }, label)));
    choose.addEventListener("change", () => {
      state.point = Number(choose.value);
      showFirst();
      recolour();
    });
    place.hidden = false;
  }
  const choices = seeds.length > 1 ? [...seeds, ALL] : seeds;
  for (const choice of choices) {
    const input = element("input", { type: "radio", name: "seed", checked: choice === state.seed });
    input.addEventListener("change", () => {
      state.seed = choice;
      draw();
    });
    document.getElementById("seeds").append(element("label", {}, input, element("span", {}, String(choice))));
  }
  const limits = document.getElementById("limits");
  limits.addEventListener("change", () => {
    state.limits = limits.checked;
    draw();
  });
  document.getElementById("reset").addEventListener("click", () => zoomTo(null));
  document.getElementById("controls").hidden = false;
}

function draw() {
  for (const plot of plots) plot.destroy();
  const places = PANELS.map(({ title, unit, note }) => {
    const plot = element("div");
    const head = element("h3", {}, `${title}, ${unit} `, element("span", {}, note));
    return { plot, panel: element("div", { className: "panel" }, head, plot) };
  });
  const strips = element("div");
  const title = element("h3", {}, "Limited by ", element("span", {}, `the account of goodput diagnose, ${seeds.length > 1 ? "first seed" : "likeliest state"}`));
  const account = accountsShown().length ? [element("div", { className: "panel", id: "account" }, title, strips, stateKey())] : [];
  document.getElementById("panels").replaceChildren(...places.map(({ panel }) => panel), ...account);
  readOut(null);
  plots = PANELS.map((panel, index) => drawPanel(panel, places[index].plot, index === PANELS.length - 1));
  if (account.length) plots.push(drawStrips(strips));
}

/* Saving: the picture as it is drawn, on white, and the numbers that it draws. */

function save(name, type, parts) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function savePicture(svg) {
  const image = new Image();
  const size = svg.viewBox.baseVal;
  const canvas = element("canvas", { width: 2 * size.width, height: 2 * size.height });
  image.onload = () => {
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(`${svg.closest("figure").dataset.name}.png`, "image/png", [blob]));
  };
  image.src = `data:image/svg+xml,${encodeURIComponent(svg.outerHTML)}`;
}

function offerSaving() {
  for (const figure of document.querySelectorAll("figure[data-name]")) {
    const { name } = figure.dataset;
    const { head, rows } = report.pictures.find((picture) => picture.name === name);
    const svg = figure.querySelector("svg");
    const csv = () => [head, ...rows].map((row) => `${row.map(quoted).join(",")}\n`);
    const button = (label, work) => {
      const made = element("button", { type: "button" }, label);
      made.addEventListener("click", work);
      return made;
    };
    figure.querySelector("figcaption").append(" Save as ",
      button("SVG", () => save(`${name}.svg`, "image/svg+xml", [svg.outerHTML])), ", ",
      button("PNG", () => savePicture(svg)), ", ",
      button("CSV", () => save(`${name}.csv`, "text/csv", csv())), ".");
  }
}

function recolour() {
  drawLegend();
  readAt = null;
  draw();
}

function fit() {
  for (const plot of plots) {
    const width = plot.root.parentElement.clientWidth;
    if (width !== plot.width) plot.setSize({ width, height: plot.height });
  }
}

function printMode(now) {
  printing = now;
  document.getElementById("panels").style.width = now ? `${PRINT_WIDTH}px` : "";
  document.documentElement.classList.toggle("print", now);
  for (const part of document.querySelectorAll("details")) part.open = now;
  recolour();
}

offerSaving();
if (PANELS.length) {
  showFirst();
  drawControls();
  recolour();
  darkScheme.addEventListener("change", recolour);
  addEventListener("beforeprint", () => printMode(true));
  addEventListener("afterprint", () => printMode(false));
  new ResizeObserver(fit).observe(document.getElementById("panels"));
} else {
  document.getElementById("plots").remove();
}
