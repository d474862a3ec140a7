import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Frame } from "./frame";
import { fitted, inkOf, paint } from "./paint";
import { pictureIn } from "./picture";
import { extentOf, scaleOf } from "./scales";
import type { Axis, Series } from "./types";
import { useTheme } from "./useWidth";
import { spanOf } from "./zoom";

export interface ThumbProps {
  series: Series[];
  square?: boolean;
  scale?: Axis["scale"]; // of both axes
  width?: number;
  height?: number;
}

const NONE: ReadonlySet<string> = new Set();
const PAD = 5;

// A chart as small as a stamp: lines only, for a gallery whose buttons say what it is.
export function Thumb({ series, square, scale, width = 120, height = 80 }: ThumbProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const theme = useTheme(ref);
  const wide = square ? Math.min(width, height) : width;
  const picture = useMemo(() => {
    const thin = series.map((one): Series => ({ ...one, thin: true, dash: one.guide ? "dashed" : "solid" }));
    return pictureIn(thin, frameFor(thin, { width: wide, height, square, scale }));
  }, [series, wide, height, square, scale]);
  useLayoutEffect(() => {
    const ctx = fitted(ref.current!, wide, height);
    if (ctx) paint(picture, { ctx, ink: inkOf(ref.current!), lit: null }, NONE);
  }, [picture, theme]);
  return <canvas ref={ref} class="chart-thumb" aria-hidden="true" style={{ width: `${wide}px`, height: `${height}px` }} />;
}

function frameFor(series: readonly Series[], { width, height, square, scale }: { width: number; height: number; square: boolean | undefined; scale: Axis["scale"] | undefined }): Frame {
  const subjects = series.some((one) => !one.guide && one.x.length) ? series.filter((one) => !one.guide) : series;
  const wish = { kind: scale, square };
  const x = scaleOf(extentOf(subjects.map((one) => one.x), wish), PAD, width - PAD);
  const y = scaleOf(extentOf(subjects.map((one) => one.y), wish), height - PAD, PAD);
  return { width, height, left: 0, right: width, top: 0, bottom: height, x, y, right2: null, xTicks: [], yTicks: [], rightTicks: [], turned: false, whole: { x: spanOf(x.extent), y: spanOf(y.extent) } };
}
