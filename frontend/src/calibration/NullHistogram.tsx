import { Chart } from "../chart/Chart";
import type { Mark, Series } from "../chart/types";
import { Hint } from "../ui/Notice";
import type { NullBars } from "./answers";

// What is expected on these rows if calibrated, and what was observed.
export function NullHistogram({ bars, title, label, draws }: { bars: NullBars; title: string; label: string; draws: number }) {
  const marks: Mark[] = [
    ...(bars.low !== null && bars.high !== null ? [{ kind: "region", axis: "x", from: bars.low, to: bars.high} as const] : []),
    ...(bars.value !== null ? [{ kind: "rule", axis: "x", at: bars.value, label: "observed" } as const] : []),
  ];
  const series: Series[] = [{ id: "draws", name: "if calibrated", color: 0, x: bars.edges.slice(0, -1), x1: bars.edges.slice(1), y: bars.counts, style: "bars", muted: true }];
  const [low, high] = [Math.min(bars.edges[0] ?? Infinity, bars.value ?? Infinity), Math.max(bars.edges.at(-1) ?? -Infinity, bars.value ?? -Infinity)];
  const room = 0.05 * (high - low) || 0.05;
  return (
    <>
      <Chart
        label={label}
        series={series}
        marks={marks}
        x={{ title: bars.scale === "linear" ? title : `${title}, powers of ten`, domain: [low - room, high + room] }}
        y={{ title: `Draws of ${draws.toLocaleString("en")}` }}
        height={220}
        legend={false}
      />
      {bars.texts.map((text) => <Hint key={text}>{text}</Hint>)}
    </>
  );
}
