import type { About, CurveAnswer } from "../answers";
import { useAnswer } from "../ask";
import { Chart } from "../chart/Chart";
import { curveQuestion } from "../questions";
import { usePart } from "../store";
import { Answer } from "../ui/Answer";

export function CurvesRoom(_: { about: About }) {
  const data = usePart((state) => state.data);
  const curve = usePart((state) => state.curve);
  const found = useAnswer<CurveAnswer>(curveQuestion({ data, curve }, 800));
  return (
    <Answer of={found} what="Drawing the curve">
      {(answer) => (
        <figure>
          <figcaption>{answer.title}</figcaption>
          <Chart
            label={answer.title}
            x={{ title: answer.x_title }}
            y={{ title: answer.y_title }}
            series={answer.lines.map((line, place) => ({ id: line.name, name: line.name, color: place, x: line.x, y: line.y, threshold: line.threshold }))}
          />
        </figure>
      )}
    </Answer>
  );
}
