// The buttons of a chart, and what the zoom shows.
import { Icon } from "../ui/Icon";
import { numberText, timeText } from "../ui/format";
import type { Frame } from "./frame";
import { type ScaleKind, untransformed } from "./scales";
import type { Axis, Brush } from "./types";
import type { Drag, Rectangle, Zoom } from "./useZoom";
import type { PlotRange, Span } from "./zoom";

const [ICON, WORDS] = [36, 104]; // pixels of a button

// The pixels that the buttons take beside a title.
export const widthOf = (zoom: Zoom, brush: Brush | undefined): number => 2 * ICON + (brush ? ICON : 0) + (brush?.range ? WORDS : 0) + (zoom.range ? WORDS : 0);

interface Props {
  zoom: Zoom;
  full: boolean;
  onFull: () => void;
  brush: Brush | undefined;
  onBegin: () => void; // select something by the keyboard
}

export function ChartTools({ zoom, full, onFull, brush, onBegin }: Props) {
  const turn = (drag: Drag) => zoom.arm(zoom.armed === drag ? null : drag);
  return (
    <div class="chart-tools">
      {brush?.range && (
        <button type="button" class="quiet" onClick={() => brush.onRange(null)}>
          Reset selection
        </button>
      )}
      {zoom.range && (
        <button type="button" class="quiet" title="Show the whole chart (0)" onClick={zoom.reset}>
          Reset zoom
        </button>
      )}
      {brush && (
        <button type="button" class="quiet icon" aria-label={brush.label} aria-pressed={zoom.armed === "select"} title={`${brush.label}: drag over the chart; a key press selects the middle, with handles to move`} onClick={(event) => (event.detail === 0 ? onBegin() : turn("select"))}>
          <Icon name="select" />
        </button>
      )}
      <button type="button" class="quiet icon" aria-label="Zoom" aria-pressed={zoom.armed === "zoom"} title="Zoom: drag a rectangle, also with Shift; or + and −, Ctrl and the wheel" onClick={() => turn("zoom")}>
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
