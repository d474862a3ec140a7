// Observable Plot. It has one y scale, so the second axis is scaled by hand, and neither zoom nor a link between
// charts: the linked cursor is a line that is moved by hand.
import * as Plot from "@observablehq/plot";
import { best } from "./data";
import type { Candidate } from "./trial";

const size = { width: 860, height: 320, style: { background: "transparent", color: "var(--ink)" } };

export const candidate = (): Candidate => ({
  draw(hosts, curves, months) {
    const n = curves.fpr.length;
    const at = best(curves);
    const { fpr, tpr, low, high, threshold } = curves;
    const places = Uint32Array.from({ length: n }, (_, place) => place); // what a pointer answers with
    const most = Math.max(...[0, 1].map((model) => curves.profit[model]!.reduce((a, b) => Math.max(a, b))));
    const lowest = curves.profit[0]!.reduce((a, b) => Math.min(a, b));
    const accepted = curves.accepted.map((share) => lowest + share * (most - lowest));
    const roc = Plot.plot({
      ...size,
      ariaLabel: "ROC curve",
      x: { label: "false positive rate", grid: true },
      y: { label: "true positive rate", grid: true },
      marks: [
        Plot.areaY(places, { x: fpr, y1: low, y2: high, fill: "var(--pl-line1)", fillOpacity: 0.18 }),
        Plot.lineY(places, { x: fpr, y: tpr, stroke: "var(--pl-line1)", strokeWidth: 1.8 }),
        Plot.dot(places, Plot.pointerX({ x: fpr, y: tpr, stroke: "var(--ink)", r: 5 })),
        Plot.ruleX([0], { className: "linked", stroke: "var(--ink)" }),
      ],
    });
    const ends = [curves.profit[0]!, curves.profit[1]!, accepted].map((values, place) => ({ name: ["model A", "model B", "accepted"][place]!, y: values[0]! }));
    const profit = Plot.plot({
      ...size,
      marginRight: 110,
      ariaLabel: "Profit by threshold",
      x: { label: "threshold", grid: true },
      y: { label: "profit per row", grid: true },
      marks: [
        Plot.axisY({ anchor: "left" }),
        Plot.axisY(Array.from({ length: 6 }, (_, tick) => lowest + (tick / 5) * (most - lowest)), { anchor: "right", label: "share accepted", tickFormat: (_: unknown, tick: number) => String(tick / 5) }),
        Plot.lineY(places, { x: threshold, y: curves.profit[0]!, stroke: "var(--pl-line1)" }),
        Plot.lineY(places, { x: threshold, y: curves.profit[1]!, stroke: "var(--pl-line2)" }),
        Plot.lineY(places, { x: threshold, y: accepted, stroke: "var(--pl-line3)", strokeDasharray: "16 5" }),
        Plot.text(ends, { x: () => threshold[0]!, y: "y", text: "name", textAnchor: "start", dx: 40 }),
        Plot.dot([at], { x: (place: number) => threshold[place]!, y: (place: number) => curves.profit[0]![place]!, fill: "var(--ink)" }),
        Plot.text([at, at], { x: (place: number) => threshold[place]!, y: (place: number) => curves.profit[0]![place]!, text: (_: number, i: number) => ["best threshold", "in use"][i]!, dy: -8 }),
        Plot.dot(places, Plot.pointerX({ x: threshold, y: curves.profit[0]!, stroke: "var(--ink)", r: 5 })),
        Plot.ruleX([0], { className: "linked", stroke: "var(--ink)" }),
      ],
    });
    const rows = months.names.flatMap((name, row) => Array.from(months.start, (day, month) => ({ name, from: new Date(day * 864e5), to: new Date(months.end[month]! * 864e5), count: months.counts[row]![month]! })));
    const stacked = Plot.plot({
      ...size,
      ariaLabel: "Rows by month",
      x: { type: "utc" },
      y: { grid: true, label: "rows" },
      color: { legend: true, domain: months.names, range: ["var(--pl-line1)", "var(--pl-line2)", "var(--pl-line3)"] },
      marks: [Plot.rectY(rows, { x1: "from", x2: "to", y: "count", fill: "name", insetRight: 1 })],
    });
    hosts.roc.append(roc);
    hosts.profit.append(profit);
    hosts.months.append(stacked);
    const link = (from: typeof roc, to: typeof roc, values: Float64Array) => {
      const line = to.querySelector(".linked line, .linked")!;
      from.addEventListener("input", () => {
        const place = from.value as number | null;
        if (place !== null) line.setAttribute("transform", `translate(${to.scale("x")!.apply(values[place]!) - to.scale("x")!.apply(0)},0)`);
      });
    };
    link(roc, profit, threshold);
    link(profit, roc, fpr);
    return { vectors: () => roc.outerHTML };
  },
});
