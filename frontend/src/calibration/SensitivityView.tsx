import { useAnswer } from "../ask";
import { Chart } from "../chart/Chart";
import type { Series } from "../chart/types";
import { Answer } from "../ui/Answer";
import { Legend } from "../ui/Presentation";
import type { View } from "../views";
import type { SensitivityAnswer } from "./answers";
import { choiceOf, useRequests } from "../requests";

// The error against the number of bins, beside what is expected if calibrated with as many.
export const SensitivityView: View = ({ question, compact }) => {
  const found = useAnswer<SensitivityAnswer>(question, { delay: 120 });
  return (
    <Answer of={found} what="Measuring with few bins and many">
      {(answer) => (
        <div class="stack">
          <p data-name="sensitivity-verdict">{answer.presentation.summary}</p>
          <div class="cal-side">
            {answer.schemes.map((scheme) => (
              <SchemeChart key={scheme.name} scheme={scheme} answer={answer} />
            ))}
          </div>
          {!compact && <Legend presentation={answer.presentation} />}
        </div>
      )}
    </Answer>
  );
};

function SchemeChart({ scheme, answer }: { scheme: SensitivityAnswer["schemes"][number]; answer: SensitivityAnswer }) {
  const places = Float64Array.from(scheme.bins.keys());
  const title = choiceOf(useRequests(), "calibration", "bins", scheme.name)?.label ?? scheme.name;
  const highest = Math.max(...answer.schemes.flatMap((one) => [...one.value, ...one.null_high].filter(Number.isFinite)));
  const series: Series[] = [
    { id: "true", name: "95 % range if calibrated", color: 0, x: places, y: scheme.null_mean, low: scheme.null_low, high: scheme.null_high, muted: true, dash: "dashed" },
    { id: "observed", name: "observed", color: 0, x: places, y: scheme.value, style: "line+points", dash: "solid" },
  ];
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <Chart
        label={`Calibration error by number of bins: ${title}`}
        series={series}
        x={{ title: "Number of bins", names: Array.from(scheme.bins, String) }}
        y={{ title: `Calibration error (${answer.distance})`, domain: [0, 1.05 * highest || 1] }}
        height={280}
      />
    </figure>
  );
}
