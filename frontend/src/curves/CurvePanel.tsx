import type { About } from "../answers";
import { useVocabulary } from "../formula/vocabulary";
import { usePart, useStore } from "../store";
import { Drawer } from "../ui/Drawer";
import type { DrawnCurve, Param } from "./answer";
import { AveragePart } from "./AveragePart";
import { presetOf } from "./edits";
import { FormulaPart, SecondPart, TitlesPart } from "./FormulaPart";
import { OrderPart } from "./OrderPart";
import { ParamSliders } from "./ParamSliders";
import { PresetPart } from "./PresetPart";
import { inForce } from "./rules";
import { curveDefaults } from "./state";
import { Disclosure } from "../ui/Disclosure";

interface Props {
  about: About;
  answer: DrawnCurve | null; // the last one
  second: DrawnCurve | null;
  stale: boolean;
  waiting: boolean; // for Compute
  compute: () => void;
}

// Everything a curve is made of: formulas, order, folds, bands.
export function CurvePanel({ about, answer, second, stale, waiting, compute }: Props) {
  const store = useStore();
  const vocabulary = useVocabulary();
  const curve = usePart((state) => state.curve);
  const preset = presetOf(vocabulary, curve);
  const drawn = answer && !stale ? answer.settings : undefined;
  const set = inForce(curve, preset, drawn);
  const tools = (
    <button type="button" class="quiet" onClick={() => store.edit("curve", curveDefaults)}>
      Reset
    </button>
  );
  return (
    <Drawer label="Curve" folded="Curve: choose formulas, order and bands" class="curve-panel" tools={tools} foot={waiting && <Pending compute={compute} />}>
      <PresetPart curve={curve} preset={preset} vocabulary={vocabulary} about={about} />
      {curve.preset === null && <FormulaPart curve={curve} />}
      <ParamSliders params={withValues(answer, second, curve.params)} />
      <SecondPart curve={curve} />
      <TitlesPart curve={curve} x={answer?.x_title ?? ""} y={answer?.y_title ?? ""} />
      <Disclosure class="more" open={curve.preset === null} title="Order and merging">
        <OrderPart curve={curve} set={set} about={about} />
      </Disclosure>
      <Disclosure class="more" open title="Averaging, bands and classes">
        <AveragePart curve={curve} set={set} about={about} drawn={answer?.settings} hullReason={answer && !stale ? answer.hull_reason : null} />
      </Disclosure>
    </Drawer>
  );
}

function Pending({ compute }: { compute: () => void }) {
  return (
    <div class="pending" role="status">
      <p>This may take a while. Press Compute to start.</p>
      <button type="button" class="primary" onClick={compute}>
        Compute
      </button>
    </div>
  );
}

// The parameters of both curves, with what the panel says at this moment.
function withValues(answer: DrawnCurve | null, second: DrawnCurve | null, values: Record<string, number>): Param[] {
  const found = new Map([...(second?.params ?? []), ...(answer?.params ?? [])].map((param) => [param.name, param]));
  return [...found.values()].map((param) => ({ ...param, value: values[param.name] ?? param.default }));
}
