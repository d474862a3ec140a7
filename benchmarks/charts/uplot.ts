// uPlot. Data have to rise along x, so the curves by threshold are turned round; names at line ends and
// marks are drawn by hand, and a cursor is linked by hand where the charts have other units on x.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { best, ink } from "./data";
import type { Candidate } from "./trial";

const turned = (values: Float64Array): Float64Array => values.slice().reverse();
const stroke = (name: string) => () => ink(name);
const faint = (name: string) => () => `${ink(name)}2e`;
const axis = (label: string, more: uPlot.Axis = {}): uPlot.Axis => ({ label, stroke: stroke("--muted"), grid: { stroke: stroke("--pl-grid") }, ticks: { stroke: stroke("--pl-grid") }, ...more });

export const candidate = (): Candidate => ({
  draw(hosts, curves, months) {
    const n = curves.fpr.length;
    const threshold = turned(curves.threshold);
    const size = { width: 860, height: 320 };
    const charts: uPlot[] = [];
    const follow = (other: () => uPlot, scale: (place: number) => number) => (self: uPlot) => {
      const place = self.cursor.idx;
      if (place === null || place === undefined || self.cursor.event === undefined) return;
      other().setCursor({ left: other().valToPos(scale(place), "x"), top: 0 }, false);
    };
    const roc: uPlot.Options = {
      ...size,
      title: "ROC curve",
      scales: { x: { time: false } },
      axes: [axis("false positive rate"), axis("true positive rate")],
      series: [{ label: "false positive rate" }, { label: "model A", stroke: stroke("--pl-line1"), width: 1.8 }, { label: "low", points: { show: false } }, { label: "high", points: { show: false } }],
      bands: [{ series: [3, 2], fill: faint("--pl-line1") }],
      cursor: { drag: { x: true, y: true, uni: 20 } },
      hooks: { setCursor: [follow(() => charts[1]!, (place) => curves.threshold[place]!)] },
    };
    charts.push(new uPlot(roc, [curves.fpr, curves.tpr, curves.low, curves.high], hosts.roc));
    const at = n - 1 - best(curves);
    const lines = [...curves.profit.map(turned), turned(curves.accepted)];
    const profit: uPlot.Options = {
      ...size,
      title: "Profit by threshold",
      padding: [null, 80, null, null],
      scales: { x: { time: false }, share: { range: [0, 1] } },
      axes: [axis("threshold"), axis("profit per row"), axis("share accepted", { side: 1, scale: "share", grid: { show: false } })],
      series: [{ label: "threshold" }, { label: "model A", stroke: stroke("--pl-line1"), width: 1.8 }, { label: "model B", stroke: stroke("--pl-line2"), width: 1.8 }, { label: "accepted", scale: "share", stroke: stroke("--pl-line3"), dash: [16, 5], width: 1.8 }],
      hooks: { setCursor: [follow(() => charts[0]!, (place) => curves.fpr[n - 1 - place]!)], draw: [(self) => names(self, lines, at)] },
    };
    charts.push(new uPlot(profit, [threshold, ...lines], hosts.profit));
    const sums = months.counts.map((_, row) => months.start.map((_, month) => months.counts.slice(row).reduce((sum, counts) => sum + counts[month]!, 0)));
    const bars = uPlot.paths.bars!({ size: [0.95, Infinity], align: 1 });
    const stacked: uPlot.Options = {
      ...size,
      title: "Rows by month",
      scales: { x: { range: [months.start[0]! * 86400, months.end[35]! * 86400] }, y: { range: (_, __, most) => [0, most * 1.05] } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), "UTC"),
      axes: [axis("month"), axis("rows")],
      series: [{ label: "month" }, ...sums.map((_, row) => ({ label: months.names[row]!, fill: stroke(`--pl-line${row + 1}`), paths: bars, points: { show: false } }))],
      bands: [{ series: [1, 2] }, { series: [2, 3] }],
    };
    charts.push(new uPlot(stacked, [months.start.map((day) => day * 86400), ...sums], hosts.months));
    return { recolor: () => charts.forEach((chart) => chart.redraw(false)) };
  },
});

// Names at the ends of lines, pushed apart, and two marks, as far as they are written here.
function names(self: uPlot, lines: readonly Float64Array[], at: number): void {
  const { ctx } = self;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `${12 * ratio}px sans-serif`;
  ctx.fillStyle = ink("--ink");
  const right = self.bbox.left + self.bbox.width + 6 * ratio;
  const ends = lines.map((values, place) => ({ text: String(self.series[place + 1]!.label), y: self.valToPos(values[values.length - 1]!, self.series[place + 1]!.scale!, true) })).sort((a, b) => a.y - b.y);
  for (let place = 1; place < ends.length; place++) ends[place]!.y = Math.max(ends[place]!.y, ends[place - 1]!.y + 14 * ratio);
  for (const { text, y } of ends) ctx.fillText(text, right + 60 * ratio, y);
  const [x, y] = [self.valToPos(self.data[0][at]!, "x", true), self.valToPos(lines[0]![at]!, "y", true)];
  ctx.fillText("best threshold", x + 8 * ratio, y - 8 * ratio);
  ctx.fillText("in use", x + 12 * ratio, y + 16 * ratio);
  ctx.fillRect(x - 3, y - 3, 6, 6);
  ctx.restore();
}
