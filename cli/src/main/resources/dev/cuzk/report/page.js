"use strict";
window.addEventListener("error", () => {
  document.documentElement.dataset.errors = Number(document.documentElement.dataset.errors || 0) + 1;
});

const data = JSON.parse(document.getElementById("data").textContent);
const report = data.report;
const wall = Math.max(report.summary.wall_seconds, 0.001);
const BUCKET = 0.2;

const CAUSES = {
  "key load": "#8e6fd1", lock: "#d1495b", upload: "#e8871e", finish: "#4c9f70", launch: "#9aa832",
  "device memory": "#c03a8c", "host memory": "#a0662e", synthesis: "#3b82c4", "in-flight limit": "#7a879a",
  "no work": "#b9c0c9", unexplained: "#f2c418",
};
const STAGES = {
  queued: "#d3d8de", in_flight_wait: "#c3c9d1", host_memory_wait: "#cbb49c", pinned_memory_wait: "#d6c3ae",
  device_memory_wait: "#e0b3cf", synthesis_wait: "#bfd3e8", synthesis: "#3b82c4", device_wait: "#c8cdd4",
  lock_wait: "#d1495b", key_load: "#8e6fd1", launch: "#9aa832", upload: "#e8871e", sparse_product: "#0f5c6b",
  ntt: "#2f8f83", digits: "#7cc0b5", msm_a: "#1f7a8c", msm_b1: "#3c97a8", msm_b2: "#5bb0bf", msm_l: "#2b6777",
  msm_h: "#47818f", download: "#86b98f", finish: "#4c9f70", verify_wait: "#ddd0e8", verify: "#a15fb5",
  assemble: "#b08968", write: "#7f5539",
};
const BUSY = "busy";

/* ---- small things ---- */

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const color = cause => (cause === BUSY ? css("--busy") : CAUSES[cause] || "#888888");

function element(tag, parent, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  if (className) made.className = className;
  if (parent) parent.appendChild(made);
  return made;
}

function swatch(parent, fill, text) {
  const item = element("span", parent);
  element("i", item).style.background = fill;
  item.append(text);
  return item;
}

const percent = fraction => (100 * fraction).toFixed(fraction > 0 && fraction < 0.1 ? 1 : 0) + " %";

function bytes(value) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) { value /= 1024; unit++; }
  return (unit === 0 || value >= 100 ? value.toFixed(0) : Number(value.toFixed(2))) + " " + units[unit];
}

function seconds(value) {
  if (value < 0.001 && value > 0) return (value * 1e6).toFixed(0) + " µs";
  if (value < 1) return Number((value * 1e3).toFixed(value < 0.01 ? 2 : 1)) + " ms";
  if (value < 120) return Number(value.toFixed(2)) + " s";
  const h = Math.floor(value / 3600), m = Math.floor(value / 60) % 60, s = Math.round(value % 60);
  return (h ? h + " h " : "") + m + " min" + (h ? "" : " " + s + " s");
}

function clock(value) {
  if (wall < 120) return Number(value.toFixed(3)) + " s";
  const h = Math.floor(value / 3600), m = Math.floor(value / 60) % 60, s = Number((value % 60).toFixed(2));
  const two = n => (n < 10 ? "0" : "") + n;
  return h ? h + ":" + two(m) + ":" + two(s) : m + ":" + two(s);
}

/* ---- head ---- */

function tile(text, value, bad) {
  const made = element("div", document.getElementById("tiles"), null, bad ? "tile bad" : "tile");
  element("b", made, value);
  element("span", made, text);
}

function head() {
  const sum = report.summary, tool = report.tool, host = report.host;
  document.getElementById("about").textContent =
    `cuzk ${tool.version}, build ${tool.build} · ${host.name}, ${host.cpu}, ${host.processors} processors · exit code ${sum.exit_code}` +
    (sum.stopped ? ` (${sum.stopped})` : "");
  tile("jobs proved", `${sum.proved} / ${sum.jobs}`);
  if (sum.failed) tile("failed", sum.failed, true);
  if (sum.resumed) tile("done before", sum.resumed);
  if (sum.dropped) tile("dropped", sum.dropped);
  tile("wall time", seconds(wall));
  tile("proofs a minute", (60 * sum.proved / wall).toFixed(1));
  if (report.devices.length) {
    tile("devices busy", percent(report.devices.reduce((a, d) => a + d.busy_fraction, 0) / report.devices.length));
    tile("idle, unexplained", percent(Math.max(...report.devices.map(d => d.unexplained_fraction))),
      report.devices.some(d => d.unexplained_fraction >= 0.02));
  }
  if (sum.upload_bytes) tile("uploaded", bytes(sum.upload_bytes));
}

function deviceName(device) {
  return `${device.uuid ? "GPU" : "Device"} ${device.index}: ${device.name}`;
}

function sentence(device) {
  const causes = device.idle.filter(share => share.fraction >= 0.001);
  if (!causes.length) return `busy ${percent(device.busy_fraction)}`;
  const listed = causes.slice(0, 3).map(share => `${share.cause} ${percent(share.fraction)}`).join(", ");
  return `busy ${percent(device.busy_fraction)}, idle mostly for ${causes[0].cause}: ${listed}` +
    (causes.length > 3 ? ", …" : "") +
    (device.nvml_utilisation === null ? "" : ` · NVML says ${percent(device.nvml_utilisation)}`);
}

function causes() {
  const box = document.getElementById("causes"), seen = new Set([BUSY]);
  for (const device of report.devices) {
    const made = element("div", box, null, "device"), line = element("p", made);
    element("span", line, deviceName(device), "name");
    line.append(" — " + sentence(device));
    const shares = element("div", made, null, "shares");
    for (const share of [{ cause: BUSY, fraction: device.busy_fraction }, ...device.idle]) {
      if (share.fraction <= 0) continue;
      const part = element("i", shares);
      part.style.width = 100 * share.fraction + "%";
      part.style.background = share.cause === BUSY ? "var(--busy)" : color(share.cause);
      part.title = `${share.cause}: ${percent(share.fraction)}, ${seconds(share.fraction * wall)}`;
      seen.add(share.cause);
    }
  }
  const legend = document.getElementById("legend");
  for (const cause of seen) swatch(legend, cause === BUSY ? "var(--busy)" : color(cause), cause);
  if (!report.devices.length) element("p", box, "No device was opened in this run.", "note");
}

/* ---- plots over time; they show the same span ---- */

const plots = [];
let moving = false;

function show(min, max) {
  const span = Math.min(wall, Math.max(max - min, wall * 1e-7));
  const from = Math.min(Math.max(0, min), wall - span);
  moving = true;
  for (const plot of plots) plot.setScale("x", { min: from, max: from + span });
  moving = false;
}

function zoom(how, center) {
  const { min, max } = plots[0].scales.x, span = max - min, at = center === undefined ? (min + max) / 2 : center;
  if (how === "all") show(0, wall);
  else if (how === "left") show(min - span / 2, max - span / 2);
  else if (how === "right") show(min + span / 2, max + span / 2);
  else {
    const factor = how === "in" ? 0.5 : 2;
    show(at - (at - min) * factor, at + (max - at) * factor);
  }
}

function timePlot(figure, options, columns) {
  const box = figure.querySelector(".plot");
  const axis = { stroke: () => css("--dim"), grid: { stroke: () => css("--grid"), width: 1 }, ticks: { stroke: () => css("--grid"), width: 1 } };
  const plot = new uPlot({
    width: Math.max(300, box.clientWidth),
    height: options.height,
    legend: { show: options.legend === true, live: true },
    scales: { x: { time: false, min: 0, max: wall, range: (u, min, max) => [min, max] }, y: options.y },
    axes: [
      { ...axis, values: (u, splits) => splits.map(clock), space: 90, size: 34 },
      { ...axis, size: 84, ...options.axis },
    ],
    series: [{ label: "time", value: (u, v) => (v === null || v === undefined ? "" : clock(v)) }, ...options.series],
    cursor: {
      sync: { key: "time" },
      drag: { x: true, y: false },
      ...(options.legend ? {} : { points: { show: false } }),
      bind: { dblclick: () => () => { zoom("all"); return null; } },
    },
    hooks: {
      setScale: [(u, key) => {
        if (key === "x" && !moving) show(u.scales.x.min, u.scales.x.max);
      }],
      ...options.hooks,
    },
  }, columns, box);
  plot.over.addEventListener("wheel", event => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? "in" : "out", plot.posToVal(event.offsetX, "x"));
  }, { passive: false });
  plots.push(plot);
  return plot;
}

/** Pixels of a canvas from one time to another, inside the plot; at least one wide. */
function span(u, from, to) {
  const left = Math.max(u.bbox.left, u.valToPos(from, "x", true));
  const right = Math.min(u.bbox.left + u.bbox.width, u.valToPos(to, "x", true));
  return [left, Math.max(1, right - left)];
}

function use(device) {
  const figure = element("figure", document.getElementById("use")), caption = element("figcaption", figure, deviceName(device) + " ");
  element("small", caption, `use in each 0.2 s · ${device.gaps.length} gaps over 100 ms`);
  element("div", figure, null, "plot");
  const readout = element("p", figure, null, "readout");
  figure.dataset.device = device.index;
  const buckets = device.utilisation_200ms || [device.busy_fraction];
  const width = device.utilisation_200ms ? BUCKET : wall;
  if (!device.utilisation_200ms) element("small", caption, " · the run is too long for single values: the mean");
  const times = buckets.map((value, i) => i * width), shares = buckets.map(value => 100 * value);
  times.push(wall);
  shares.push(shares[shares.length - 1]);
  timePlot(figure, {
    height: 130,
    y: { range: [0, 100] },
    axis: { values: (u, splits) => splits.map(v => v + " %"), splits: () => [0, 50, 100] },
    series: [{ label: "busy", stroke: () => css("--busy"), fill: () => css("--busy") + "55", width: 1, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } }],
    hooks: {
      drawAxes: [u => {
        const { min, max } = u.scales.x;
        let drawn = 0;
        for (const gap of device.gaps) {
          const from = gap.start_ms / 1e3, to = from + gap.ms / 1e3;
          if (to < min || from > max) continue;
          const [left, length] = span(u, from, to);
          u.ctx.fillStyle = color(gap.cause);
          u.ctx.fillRect(left, u.bbox.top, length, u.bbox.height);
          drawn++;
        }
        figure.dataset.gaps = drawn;
      }],
      setCursor: [u => {
        if (u.cursor.left < 0) { readout.textContent = ""; return; }
        const at = u.posToVal(u.cursor.left, "x");
        const gap = device.gaps.find(each => at * 1e3 >= each.start_ms && at * 1e3 <= each.start_ms + each.ms);
        const share = buckets[Math.min(buckets.length - 1, Math.floor(at / width))];
        readout.textContent = `${clock(at)} · busy ${percent(share)}` +
          (gap ? ` · gap of ${seconds(gap.ms / 1e3)} from ${clock(gap.start_ms / 1e3)}: ${gap.cause}` : "");
      }],
    },
  }, [times, shares]);
}

/* ---- Gantt ---- */

function ganttRows() {
  const rows = [];
  for (let i = 0; i < data.rows.length; i += 2) {
    rows.push({ name: `${data.jobs[data.rows[i]]} [${data.rows[i + 1]}]`, bars: [], from: Infinity, to: 0 });
  }
  for (let i = 0; i < data.bars.length; i += 5) {
    const bar = { stage: data.stages[data.bars[i + 1]], device: data.bars[i + 2], from: data.bars[i + 3] / 1e3, to: (data.bars[i + 3] + data.bars[i + 4]) / 1e3 };
    const row = rows[data.bars[i]];
    row.bars.push(bar);
    row.from = Math.min(row.from, bar.from);
    row.to = Math.max(row.to, bar.to);
  }
  return rows;
}

function drawRow(u, row, top, height) {
  const { min, max } = u.scales.x;
  const last = {};
  let drawn = 0;
  for (const bar of row.bars) {
    if (bar.to < min || bar.from > max) continue;
    drawn++;
    const [left, length] = span(u, bar.from, bar.to);
    if (length <= 1 && last[bar.stage] === Math.floor(left)) continue;
    last[bar.stage] = Math.floor(left);
    u.ctx.fillStyle = STAGES[bar.stage] || "#888888";
    const thin = bar.stage.endsWith("_wait") || bar.stage === "queued" || bar.stage === "launch";
    u.ctx.fillRect(left, thin ? top + height * 0.35 : top, length, Math.max(thin ? height * 0.3 : height, 0.5));
  }
  return drawn;
}

function gantt() {
  const figure = document.getElementById("gantt"), readout = figure.querySelector(".readout");
  const rows = ganttRows();
  element("small", figure.querySelector("figcaption"),
    ` ${rows.length} of them; zoom in and only those in view are drawn` + (data.left_out ? `; the ${data.left_out} shortest bars are left out` : ""));
  let visible = [];
  timePlot(figure, {
    height: Math.min(460, Math.max(140, 40 + rows.length * 16)),
    y: { range: [0, 1] },
    axis: { show: true, size: 84, values: () => [], grid: { show: false }, ticks: { show: false } },
    series: [{ show: false }],
    hooks: {
      draw: [u => {
        const { min, max } = u.scales.x, ratio = devicePixelRatio || 1;
        visible = rows.filter(row => row.to >= min && row.from <= max);
        const pitch = Math.min(18 * ratio, u.bbox.height / Math.max(1, visible.length));
        const height = pitch > 3 ? pitch * 0.8 : pitch;
        let bars = 0;
        u.ctx.save();
        u.ctx.font = `${11 * ratio}px system-ui, sans-serif`;
        u.ctx.textAlign = "right";
        u.ctx.textBaseline = "middle";
        visible.forEach((row, i) => {
          const top = u.bbox.top + i * pitch;
          bars += drawRow(u, row, top, height);
          if (pitch >= 11 * ratio) {
            u.ctx.fillStyle = css("--dim");
            const name = row.name.length > 13 ? "…" + row.name.slice(-12) : row.name;
            u.ctx.fillText(name, u.bbox.left - 6 * ratio, top + height / 2);
          }
        });
        u.ctx.restore();
        u.pitch = pitch / ratio;
        figure.dataset.rows = visible.length;
        figure.dataset.bars = bars;
      }],
      setCursor: [u => {
        const row = u.cursor.left >= 0 ? visible[Math.floor(u.cursor.top / u.pitch)] : null;
        const at = u.posToVal(u.cursor.left, "x");
        const bars = row ? row.bars.filter(each => at >= each.from && at <= each.to) : [];
        readout.textContent = row
          ? `${clock(at)} · ${row.name}` + bars.map(b => ` · ${b.stage} ${seconds(b.to - b.from)}${b.device >= 0 ? ` (device ${b.device})` : ""}`).join("")
          : "";
      }],
    },
  }, [[0, wall], [0, 0]]);
  const legend = figure.querySelector(".legend");
  for (const stage of Object.keys(STAGES)) if (data.stages.includes(stage)) swatch(legend, STAGES[stage], stage);
}

/* ---- memory and uploads ---- */

const POWERS = Array.from({ length: 46 }, (unused, i) => 2 ** i);
const byteAxis = suffix => ({ incrs: POWERS, values: (u, splits) => splits.map(v => bytes(v) + suffix) });
const fromZero = { range: (u, min, max) => [0, Math.max(1, max * 1.05)] };

function line(label, stroke, suffix, fill) {
  return { label, stroke, width: 1.5, fill, points: { show: false }, value: (u, v) => (v === null || v === undefined ? "" : bytes(v) + suffix) };
}

function memory() {
  const figure = document.getElementById("memory"), samples = report.memory_samples;
  figure.dataset.samples = samples.length;
  if (!samples.length) { figure.hidden = true; return; }
  const columns = [samples.map(s => s.start_ms / 1e3), samples.map(s => s.rss_bytes), samples.map(s => s.host_bytes), samples.map(s => s.pinned_bytes)];
  const series = [line("process", "#3b82c4", "", "#3b82c422"), line("reserved host", "#a0662e", ""), line("reserved pinned", "#e8871e", "")];
  const shades = ["#2f8f83", "#8e6fd1", "#c03a8c", "#9aa832", "#d1495b", "#47818f", "#7f5539", "#5bb0bf"];
  report.devices.forEach((device, i) => {
    const of = (s, field) => (s.devices[i] ? s.devices[i][field] : null);
    if (samples.some(s => of(s, "reserved_bytes"))) {
      columns.push(samples.map(s => of(s, "reserved_bytes")));
      series.push(line(`device ${device.index} reserved`, shades[i % shades.length], ""));
    }
    if (samples.some(s => of(s, "used_bytes") !== null)) {
      columns.push(samples.map(s => of(s, "used_bytes")));
      series.push({ ...line(`device ${device.index} used`, shades[i % shades.length], ""), dash: [6, 4] });
    }
  });
  timePlot(figure, { height: 220, legend: true, y: fromZero, axis: byteAxis(""), series }, columns);
}

function upload() {
  const figure = document.getElementById("upload"), rates = report.upload.rate_200ms;
  if (!rates || !rates.length || !report.upload.bytes) { figure.hidden = true; return; }
  element("small", figure.querySelector("figcaption"),
    ` ${bytes(report.upload.bytes)}, ${bytes(report.upload.bytes_per_second)}/s while uploading, at most ${bytes(report.upload.peak_bytes_per_second)}/s; mean of each 0.2 s below`);
  const times = rates.map((rate, i) => i * BUCKET), values = rates.slice();
  times.push(rates.length * BUCKET);
  values.push(0);
  const series = { ...line("rate", "#e8871e", "/s", "#e8871e44"), paths: uPlot.paths.stepped({ align: 1 }) };
  timePlot(figure, { height: 160, legend: true, y: fromZero, axis: byteAxis("/s"), series: [series] }, [times, values]);
}

/* ---- tables ---- */

function table(id, headings, rows, textColumns) {
  const made = typeof id === "string" ? document.getElementById(id) : id, heading = element("tr", element("thead", made));
  headings.forEach((text, i) => element("th", heading, text, textColumns.includes(i) ? "text" : ""));
  const body = element("tbody", made);
  for (const row of rows) {
    const line = element("tr", body);
    row.forEach((cell, i) => element("td", line, cell, textColumns.includes(i) ? "text" : ""));
  }
  return body;
}

function stages() {
  const body = table("stages", ["stage", "times", "sum", "mean", "longest", "sum / wall time"],
    report.stages.map(s => [s.name, s.count, seconds(s.seconds), seconds(s.seconds / s.count), seconds(s.longest_ms / 1e3), percent(s.seconds / wall)]), []);
  report.stages.forEach((stage, i) => {
    const mark = document.createElement("i");
    mark.style.background = STAGES[stage.name] || "#888888";
    body.rows[i].cells[0].prepend(mark);
  });
}

function histogram(parent, bars, className) {
  const box = element("div", parent, null, "histogram");
  const most = Math.max(1, ...bars.map(bar => Math.log10(bar.count + 1)));
  for (const bar of bars) {
    const made = element("i", box, null, className);
    made.style.height = Math.max(3, 100 * Math.log10(bar.count + 1) / most) + "%";
    made.title = `${bar.count} times at most ${seconds(bar.up_to / 1e6)}`;
  }
  const scale = element("div", parent, null, "scale");
  if (bars.length) {
    element("span", scale, "≤ " + seconds(bars[0].up_to / 1e6));
    if (bars.length > 1) element("span", scale, "≤ " + seconds(bars[bars.length - 1].up_to / 1e6));
  }
}

function locks() {
  const box = document.getElementById("locks");
  for (const lock of report.locks) {
    if (!lock.acquisitions) continue;
    const made = element("div", box, null, "lock");
    element("b", made, lock.name);
    element("p", made, `held ${lock.acquisitions} times: half ≤ ${seconds(lock.hold_us_p50 / 1e6)}, 99 % ≤ ${seconds(lock.hold_us_p99 / 1e6)}, longest ${seconds(lock.hold_us_longest / 1e6)}`);
    histogram(made, lock.hold_us_histogram, "");
    element("p", made, `waited for: half ≤ ${seconds(lock.wait_us_p50 / 1e6)}, 99 % ≤ ${seconds(lock.wait_us_p99 / 1e6)}, longest ${seconds(lock.wait_us_longest / 1e6)}`);
    histogram(made, lock.wait_us_histogram, "wait");
  }
}

function jobs() {
  const order = { failed: 0, dropped: 1 }, listed = report.jobs.slice();
  listed.sort((a, b) => (order[a.status] ?? 2) - (order[b.status] ?? 2) || b.seconds.total - a.seconds.total);
  const most = 200, time = value => seconds(value);
  table("jobs", ["job", "kind", "status", "queued", "synthesis", "prove", "verify", "write", "total", "error"],
    listed.slice(0, most).map(job => [job.name, job.kind, job.status, time(job.seconds.queued), time(job.seconds.synthesis),
      time(job.seconds.prove), time(job.seconds.verify), time(job.seconds.write), time(job.seconds.total), job.error ? `${job.exit_class}: ${job.error}` : ""]), [9]);
  if (listed.length > most || report.jobs_rolled_up) {
    element("p", document.getElementById("jobs").parentNode, `${report.summary.jobs} jobs in all; failed ones and the slowest first.`, "note");
  }
}

function rest() {
  const box = document.getElementById("rest");
  for (const warning of report.warnings) element("p", box, "warning: " + warning);
  table(element("table", box), ["key", "curve", "domain", "digest", "sha256", "loaded in"],
    report.keys.map(k => [k.path, k.curve, k.domain, k.digest_state, k.sha256 || "unknown", seconds(k.load_seconds)]), [4]);
  table(element("table", box), ["setting", "value", "source"],
    Object.entries(report.settings).map(([name, setting]) => [name, setting.value, setting.source]), [1, 2]);
}

/* ---- all together ---- */

function scheme(name) {
  document.documentElement.dataset.scheme = name;
  for (const plot of plots) plot.redraw();
}

scheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
head();
causes();
report.devices.forEach(use);
gantt();
memory();
upload();
stages();
locks();
jobs();
rest();
document.getElementById("scheme").addEventListener("click", () =>
  scheme(document.documentElement.dataset.scheme === "dark" ? "light" : "dark"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", event => scheme(event.matches ? "dark" : "light"));
for (const button of document.querySelectorAll("[data-zoom]")) {
  button.addEventListener("click", () => zoom(button.dataset.zoom));
}
new ResizeObserver(() => {
  for (const plot of plots) {
    const width = plot.root.parentNode.clientWidth;
    if (width > 0 && width !== plot.width) plot.setSize({ width, height: plot.height });
  }
}).observe(document.querySelector("main"));
document.documentElement.dataset.ready = "yes";
