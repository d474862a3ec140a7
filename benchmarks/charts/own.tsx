// The workbench's own painting. No bars stand on others there yet, so each month shows sums drawn behind each other.
import { render } from "preact";
import { Chart } from "@workbench/chart/Chart";
import type { Series } from "@workbench/chart/types";
import { Cursor, CursorContext } from "@workbench/cursor";
import { Store } from "@workbench/store";
import { fromFragment } from "@workbench/url";
import { best } from "./data";
import type { Candidate } from "./trial";

export const candidate = (): Candidate => ({
  draw(hosts, curves, months) {
    const { fpr, tpr, low, high, threshold, profit, accepted } = curves;
    const cursor = new Cursor(new Store(fromFragment("")));
    const at = best(curves);
    const line = (id: string, y: Float64Array, color: number, more: Partial<Series> = {}): Series => ({ id, name: id, color, x: threshold, y, threshold, style: "step", ...more });
    const sums = months.counts.map((_, row) => months.start.map((_, month) => months.counts.slice(row).reduce((sum, counts) => sum + counts[month]!, 0)));
    const shown = (host: HTMLElement, chart: preact.VNode) => render(<CursorContext.Provider value={cursor}>{chart}</CursorContext.Provider>, host);
    shown(hosts.roc, <Chart label="ROC curve" cursor series={[{ ...line("model A", tpr, 0), x: fpr, low, high, style: "line" }]} x={{ title: "false positive rate" }} y={{ title: "true positive rate" }} height={340} />);
    shown(
      hosts.profit,
      <Chart
        label="Profit by threshold"
        cursor
        series={[line("model A", profit[0]!, 0), line("model B", profit[1]!, 1), line("accepted", accepted, 2, { axis: "right", dash: "long" })]}
        marks={[{ kind: "point", x: threshold[at]!, y: profit[0]![at]!, label: "best threshold" }, { kind: "rule", axis: "x", at: threshold[at]! + 0.01, label: "in use" }]}
        x={{ title: "threshold" }}
        y={{ title: "profit per row" }}
        right={{ title: "share accepted" }}
        height={340}
      />,
    );
    shown(hosts.months, <Chart label="Rows by month" series={sums.map((y, row): Series => ({ id: String(row), name: months.names[row]!, color: row, x: months.start, x1: months.end, y, style: "bars" }))} x={{ title: "month", dates: true }} y={{ title: "rows" }} height={340} />);
    return {};
  },
});
