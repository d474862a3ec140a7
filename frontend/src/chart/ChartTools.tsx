// The buttons of a chart, and what the zoom shows.
import { Icon } from "../ui/Icon";
import { numberText, timeText } from "../ui/format";
import type { Frame } from "./frame";
import { type ScaleKind, untransformed } from "./scales";
import type { Axis } from "./types";
import type { Rectangle, Zoom } from "./useZoom";
import type { PlotRange, Span } from "./zoom";

interface Props {
  zoom: Zoom;
  full: boolean;
  onFull: () => void;
}

export function ChartTools({ zoom, full, onFull }: Props) {
  return (
    <div class="chart-tools">
      {zoom.range && (
        <button type="button" class="quiet" title="Show the whole chart (0)" onClick={zoom.reset}>
          Reset zoom
        </button>
      )}
      <button type="button" class="quiet icon" aria-label="Zoom" aria-pressed={zoom.armed} title="Zoom: drag a rectangle, also with Shift; or + and −, Ctrl and the wheel" onClick={() => zoom.arm(!zoom.armed)}>
        <Icon name="zoom" />
      </button>
      <button type="button" class="quiet icon" aria-label={full ? "Leave full screen" : "Full screen"} aria-pressed={full} title={full ? "Leave full screen" : "Full screen"} onClick={onFull}>
        <Icon name={full ? "smaller" : "larger"} />
      </button>
    </div>
  );
}

export function ZoomRectangle({ rectangle: { from, to } }: { rectangle: Rectangle }) {
  const [x, y] = [Math.min(from[0], to[0]), Math.min(from[1], to[1])];
  return <rect class="chart-zoom" x={x} y={y} width={Math.abs(to[0] - from[0])} height={Math.abs(to[1] - from[1])} />;
}

// What a screen reader hears as the zoom changes.
export function ZoomWords({ range, frame, x, y }: { range: PlotRange | null; frame: Frame; x: Axis; y: Axis }) {
  return (
    <p class="chart-words" role="status">
      {range && `Shows ${x.title} ${spanText(range.x, x, frame.x.extent.kind)}, ${y.title} ${spanText(range.y, y, frame.y.extent.kind)}.`}
    </p>
  );
}

function spanText(span: Span, axis: Axis, kind: ScaleKind): string {
  const text = (place: number) => (axis.dates ? timeText(place) : numberText(untransformed(kind, place), 3));
  return `${text(span[0])} to ${text(span[1])}`;
}
