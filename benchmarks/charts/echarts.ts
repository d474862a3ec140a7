// Apache ECharts, with what the three charts need and no more, painting on a canvas or into an SVG.
import { BarChart, CustomChart, LineChart } from "echarts/charts";
import { AriaComponent, AxisPointerComponent, DataZoomComponent, DatasetComponent, GridComponent, LegendComponent, MarkLineComponent, MarkPointComponent, ToolboxComponent, TooltipComponent } from "echarts/components";
import { type EChartsType, init, use } from "echarts/core";
import { LabelLayout } from "echarts/features";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";
import { best, ink } from "./data";
import type { Candidate } from "./trial";

use([LineChart, BarChart, CustomChart, GridComponent, DatasetComponent, TooltipComponent, AxisPointerComponent, LegendComponent, DataZoomComponent, ToolboxComponent, MarkLineComponent, MarkPointComponent, AriaComponent, LabelLayout, CanvasRenderer, SVGRenderer]);

// Columns as the flat array of rows that ECharts reads without a copy for every point.
function flat(...columns: Float64Array[]): Float64Array {
  const wide = columns.length;
  const rows = new Float64Array(wide * columns[0]!.length);
  columns.forEach((column, place) => column.forEach((value, row) => (rows[row * wide + place] = value)));
  return rows;
}

const look = () => ({
  animation: false,
  color: [1, 2, 3].map((place) => ink(`--pl-line${place}`)),
  textStyle: { color: ink("--ink") },
  aria: { enabled: true },
  tooltip: { trigger: "axis", renderMode: "richText", axisPointer: { type: "line" } },
  toolbox: { feature: { dataZoom: {}, restore: {}, saveAsImage: {} } },
  dataZoom: [{ type: "inside", filterMode: "none" }],
});
const value = (name: string, more: object = {}) => ({ type: "value", name, nameLocation: "middle", nameGap: 30, axisLabel: { color: ink("--muted") }, splitLine: { lineStyle: { color: ink("--pl-grid") } }, ...more });
const line = (name: string, y: string, more: object = {}) => ({ type: "line", name, showSymbol: false, encode: { x: "x", y }, lineStyle: { width: 1.8 }, ...more });

export const candidate = (renderer: string): Candidate => ({
  draw(hosts, curves, months) {
    for (const host of Object.values(hosts)) host.classList.add("size");
    const made = (host: HTMLElement): EChartsType => init(host, null, { renderer: renderer as "canvas" | "svg" });
    const [roc, profit, stacked] = [made(hosts.roc), made(hosts.profit), made(hosts.months)];
    const at = best(curves);
    const height = curves.high.map((high, place) => high - curves.low[place]!);
    const rocRows = flat(curves.fpr, curves.tpr, curves.low, height);
    const n = curves.fpr.length;
    const turned = (values: Float64Array) => values.slice().reverse(); // a line is named at its last point
    const profitRows = flat(...[curves.threshold, ...curves.profit, curves.accepted].map(turned));
    const show = () => {
      const hidden = { lineStyle: { opacity: 0 }, stack: "band", stackStrategy: "all", silent: true, tooltip: { show: false } };
      roc.setOption({
        ...look(),
        title: { text: "ROC curve" },
        dataset: { dimensions: ["x", "tpr", "low", "height"], source: rocRows },
        xAxis: value("false positive rate", { min: 0, max: 1 }),
        yAxis: value("true positive rate", { min: 0, max: 1 }),
        series: [line("model A", "tpr"), line("low", "low", hidden), line("height", "height", { ...hidden, areaStyle: { opacity: 0.18, color: ink("--pl-line1") } })],
      });
      const end = { endLabel: { show: true, formatter: "{a}", color: ink("--ink") }, labelLayout: { x: hosts.profit.clientWidth - 75, moveOverlap: "shiftY" } };
      profit.setOption({
        ...look(),
        grid: { right: 130 },
        dataset: { dimensions: ["x", "a", "b", "accepted"], source: profitRows },
        xAxis: value("threshold", { min: 0, max: 1 }),
        yAxis: [value("profit per row"), value("share accepted", { min: 0, max: 1, splitLine: { show: false } })],
        series: [
          line("model A", "a", {
            ...end,
            markPoint: { symbolSize: 8, symbol: "circle", label: { formatter: "{b}", position: "right" }, data: [{ name: "best threshold", coord: [curves.threshold[at], curves.profit[0]![at]] }] },
            markLine: { symbol: "none", label: { formatter: "{b}" }, data: [{ name: "in use", xAxis: curves.threshold[at]! + 0.01 }] },
          }),
          line("model B", "b", end),
          line("accepted", "accepted", { ...end, yAxisIndex: 1, lineStyle: { width: 1.8, type: [16, 5] } }),
        ],
      });
      stacked.setOption({
        ...look(),
        legend: { data: months.names, textStyle: { color: ink("--ink") } },
        xAxis: { type: "time", axisLabel: { color: ink("--muted") } },
        yAxis: value("rows"),
        series: months.names.map((name, row) => ({ type: "bar", name, stack: "rows", barCategoryGap: "5%", data: Array.from(months.start, (day, month) => [day * 864e5, months.counts[row]![month]]) })),
      });
    };
    show();
    const follow = (from: EChartsType, to: EChartsType) =>
      from.on("updateAxisPointer", (event) => {
        const { dataIndex } = event as { dataIndex?: number };
        if (dataIndex !== undefined) to.dispatchAction({ type: "showTip", seriesIndex: 0, dataIndex: n - 1 - dataIndex }, { silent: true });
      });
    follow(roc, profit);
    follow(profit, roc);
    return { recolor: show, ...(renderer === "svg" ? { vectors: () => roc.renderToSVGString() } : {}) };
  },
});
