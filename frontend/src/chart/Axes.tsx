// Grid and regions below the canvas; ticks and titles above it. Text stays text.
import { type Frame, shortened, textWidth } from "./frame";
import type { Axis } from "./types";

const crisp = (pixel: number): number => Math.round(pixel) + 0.5;

export function Grid({ frame }: { frame: Frame }) {
  const { left, right, top, bottom } = frame;
  return (
    <g class="chart-grid">
      {frame.yTicks.map((tick) => (
        <line key={`y${tick.text}`} class={tick.edge ? "edge" : undefined} x1={left} x2={right} y1={crisp(tick.pixel)} y2={crisp(tick.pixel)} />
      ))}
      {frame.xTicks.map((tick) => (
        <line key={`x${tick.text}`} class={tick.edge ? "edge" : undefined} x1={crisp(tick.pixel)} x2={crisp(tick.pixel)} y1={top} y2={bottom} />
      ))}
      <path class="chart-base" d={`M${crisp(left)},${top}V${crisp(bottom)}H${right}${frame.right2 ? `V${top}` : ""}`} />
    </g>
  );
}

// The inks of axes that one line alone is drawn on.
export interface Inks {
  left: string | undefined;
  right: string | undefined;
}

const inked = (ink: string | undefined) => (ink ? { class: "inked", style: { "--of": `var(${ink})` } } : {});

export function Axes({ frame, x, y, right, taken, inks }: { frame: Frame; x: Axis; y: Axis; right?: Axis | undefined; taken: number; inks: Inks }) {
  const { bottom, turned } = frame;
  const half = right ? frame.width / 2 - 8 : frame.width - 4 - taken;
  const title = frame.top - 14;
  return (
    <g class="chart-axes">
      <Title x={0} y={title} text={y.title} room={half} anchor="start" ink={inks.left} />
      {right && <Title x={frame.width} y={title} text={right.title} room={half} anchor="end" ink={inks.right} />}
      <Title x={(frame.left + frame.right) / 2} y={frame.height - 6} text={x.title} room={frame.width - 8} anchor="middle" />
      {frame.yTicks.map((tick) => (
        <text key={tick.text} x={frame.left - 6} y={tick.pixel} dy="0.35em" text-anchor="end" {...inked(inks.left)}>
          {tick.text}
        </text>
      ))}
      {frame.rightTicks.map((tick) => (
        <text key={tick.text} x={frame.right + 6} y={tick.pixel} dy="0.35em" {...inked(inks.right)}>
          {tick.text}
        </text>
      ))}
      {frame.xTicks.map((tick) =>
        turned ? (
          <text key={tick.value} x={tick.pixel + 4} y={bottom + 12} text-anchor="end" transform={`rotate(-38 ${tick.pixel + 4} ${bottom + 12})`}>
            {tick.text}
          </text>
        ) : (
          <text key={tick.value} x={tick.pixel} y={bottom + 16} text-anchor="middle">
            {tick.month ?? tick.text}
            {tick.year && (
              <tspan x={tick.pixel} dy="14">
                {tick.year}
              </tspan>
            )}
          </text>
        ),
      )}
    </g>
  );
}

// The title of an axis, as much of it as there is room for; the whole of it in its tooltip.
function Title({ x, y, text, room, anchor, ink }: { x: number; y: number; text: string; room: number; anchor: string; ink?: string | undefined }) {
  const most = Math.max(8, Math.floor(text.length * Math.min(1, room / Math.max(1, textWidth(text, 13)))));
  return (
    <text x={x} y={y} text-anchor={anchor} {...inked(ink)} class={ink ? "chart-title inked" : "chart-title"}>
      {shortened(text, most)}
      {most < text.length && <title>{text}</title>}
    </text>
  );
}
