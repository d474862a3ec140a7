// Between the controls and the charts: folds the controls away, and makes them wider or narrower.
import { useRef } from "preact/hooks";
import { usePart, useStore } from "../store";
import { layoutDefaults } from "./state";

const [LEAST, MOST] = [12, 28]; // rem
const STEP = 1;

export function SideHandle() {
  const store = useStore();
  const { side, folded } = usePart((state) => state.layout);
  const from = useRef<{ x: number; side: number; rem: number } | null>(null);
  // The look of the page is no step of undo.
  const change = (patch: Partial<typeof layoutDefaults>) => store.replace({ ...store.state, layout: { ...store.state.layout, ...patch } });
  const widen = (wide: number) => change({ side: Math.min(MOST, Math.max(LEAST, Math.round(4 * wide) / 4)) });
  const keys: Record<string, () => void> = {
    ArrowLeft: () => widen(side - STEP),
    ArrowRight: () => widen(side + STEP),
    Home: () => widen(LEAST),
    End: () => widen(MOST),
  };
  return (
    <aside class="side-handle" aria-label="Layout">
      <button type="button" class="quiet icon" aria-expanded={!folded} aria-label={folded ? "Show the controls" : "Hide the controls"} title={folded ? "Show the controls" : "Hide the controls"} onClick={() => change({ folded: !folded })}>
        <span class="chevron left" aria-hidden="true" />
      </button>
      {!folded && (
        <div
          class="grip"
          role="separator"
          tabIndex={0}
          aria-orientation="vertical"
          aria-label="Width of the controls"
          aria-valuenow={side}
          aria-valuemin={LEAST}
          aria-valuemax={MOST}
          title="Drag to make the controls wider or narrower"
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            from.current = { x: event.clientX, side, rem: parseFloat(getComputedStyle(document.documentElement).fontSize) || 16 };
          }}
          onPointerMove={(event) => from.current && widen(from.current.side + (event.clientX - from.current.x) / from.current.rem)}
          onPointerUp={() => (from.current = null)}
          onPointerCancel={() => (from.current = null)}
          onDblClick={() => change({ side: layoutDefaults.side })}
          onKeyDown={(event) => {
            const act = keys[event.key];
            if (!act) return;
            event.preventDefault();
            act();
          }}
        />
      )}
    </aside>
  );
}
