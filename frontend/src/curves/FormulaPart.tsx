import { FormulaBox } from "../formula/FormulaBox";
import { useStore } from "../store";
import { Field, Switch } from "../ui/fields";
import { withFormula } from "./edits";
import type { CurveState } from "./state";
import { Disclosure } from "../ui/Disclosure";

// The two formulas of one's own, and the titles of their axes.
export function FormulaPart({ curve }: { curve: CurveState }) {
  const store = useStore();
  return (
    <>
      <FormulaBox label="x" part="x" value={curve.x ?? ""} onChange={(text) => store.edit("curve", withFormula("x", text), "x")} />
      <FormulaBox label="y" part="y" value={curve.y ?? ""} onChange={(text) => store.edit("curve", withFormula("y", text), "y")} />
    </>
  );
}

export function SecondPart({ curve }: { curve: CurveState }) {
  const store = useStore();
  const shown = curve.y2 !== null;
  return (
    <>
      <Switch label="Second y, on the right axis" checked={shown} onChange={(on) => store.edit("curve", { y2: on ? "" : null })} />
      {shown && <FormulaBox label="Second y" part="y" value={curve.y2 ?? ""} placeholder="a formula, such as precision" onChange={(y2) => store.edit("curve", { y2 }, "y2")} />}
    </>
  );
}

export function TitlesPart({ curve, x, y }: { curve: CurveState; x: string; y: string }) {
  const store = useStore();
  return (
    <Disclosure class="more" title="Axis titles">
      <Title label="Title of the x axis" value={curve.x_title} otherwise={x} onChange={(x_title) => store.edit("curve", { x_title }, "x_title")} />
      <Title label="Title of the y axis" value={curve.y_title} otherwise={y} onChange={(y_title) => store.edit("curve", { y_title }, "y_title")} />
      {curve.y2?.trim() && <Title label="Title of the second y axis" value={curve.y2_title} otherwise={curve.y2} onChange={(y2_title) => store.edit("curve", { y2_title }, "y2_title")} />}
    </Disclosure>
  );
}

function Title({ label, value, otherwise, onChange }: { label: string; value: string | null; otherwise: string; onChange: (value: string | null) => void }) {
  return (
    <Field label={label}>{(id) => <input id={id} value={value ?? ""} placeholder={otherwise} maxLength={200} onInput={(event) => onChange(event.currentTarget.value || null)} />}</Field>
  );
}
