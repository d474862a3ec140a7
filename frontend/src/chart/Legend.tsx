import { markerPath } from "./look";
import type { Drawn } from "./picture";

export interface LegendProps {
  drawn: readonly Drawn[];
  hidden: ReadonlySet<string>;
  onToggle: (id: string) => void;
  onLight: (id: string | null) => void;
}

// What the lines are called; a click hides or shows one, pointing at it makes it stand out.
export function Legend({ drawn, hidden, onToggle, onLight }: LegendProps) {
  const named = drawn.filter((one) => !one.series.guide);
  return (
    <ul class="chart-legend" aria-label="Series">
      {named.map((one) => {
        const { id, name } = one.series;
        return (
          <li key={id}>
            <button
              type="button"
              aria-pressed={!hidden.has(id)}
              title={hidden.has(id) ? `Show ${name}` : `Hide ${name}`}
              onClick={() => onToggle(id)}
              onPointerEnter={() => onLight(id)}
              onPointerLeave={() => onLight(null)}
              onFocus={(event) => event.currentTarget.matches(":focus-visible") && onLight(id)}
              onBlur={() => onLight(null)}
            >
              <Key one={one} marked={named.length > 1} />
              <span>{name}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Key({ one, marked }: { one: Drawn; marked: boolean }) {
  const { look, series } = one;
  const color = `var(${look.ink})`;
  const bars = series.style === "bars";
  const points = series.style === "points" || series.style === "line+points";
  const band = !bars && !points && series.low !== undefined && series.high !== undefined;
  const line = !bars && series.style !== "points" && !(band && series.muted); // a grey band is an area alone
  const sign = points || (marked && !series.muted && !series.thin);
  return (
    <svg class="chart-key" width="30" height="14" aria-hidden="true">
      {bars && <rect x="3" y="2" width="24" height="10" style={{ fill: color, opacity: series.muted ? 0.5 : 1 }} />}
      {bars && series.base && series.color % 2 === 1 && <path d={series.color % 4 === 1 ? "M3 2L13 12M10 2L20 12M17 2L27 12" : "M13 2L3 12M20 2L10 12M27 2L17 12"} style={{ stroke: "var(--paper)", strokeWidth: 1 }} />}
      {band && <rect class="chart-key-band" x="1" y="1" width="28" height="12" style={{ fill: color, opacity: series.muted ? 0.45 : 0.25 }} />}
      {line && <line x1="1" x2="29" y1="7" y2="7" style={{ stroke: color, strokeWidth: look.width + 0.2, strokeDasharray: look.dash.join(" ") }} />}
      {!bars && sign && <path d={markerPath(look.marker, 3.4)} transform="translate(15 7)" style={{ stroke: color, strokeWidth: 1.2, fill: points ? color : "var(--paper)" }} />}
    </svg>
  );
}
