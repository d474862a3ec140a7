import type { About } from "../answers";
import { useCursor } from "../cursor";
import { usePart, useStore } from "../store";
import { Hint } from "../ui/Notice";
import { CasesControls } from "./Cases";
import { DifferenceControls } from "./Difference";
import { around } from "./marks";
import { endsOf, type Shown } from "./questions";
import { Section } from "./Section";
import { SubgroupControls } from "./Subgroups";

// What takes more room than a column: cases, two models, subgroups; below the chart.
export function ReadingBelow({ shown, about, compared }: { shown: Shown; about: About; compared: { current: HTMLDivElement | null } }) {
  const store = useStore();
  const cursor = useCursor();
  const { answer, unit, models } = shown;
  const reading = usePart((state) => state.reading);
  return (
    <section class="stack reading-below" aria-label="More readings">
      <Section title="Cases between two thresholds" open={endsOf(shown, reading) !== null} onToggle={(open) => store.edit("reading", open ? { between: around(answer, cursor.at(unit)), between_of: unit } : { between: null, between_of: null })}>
        <CasesControls shown={shown} />
      </Section>
      <Section
        title="Compare two models"
        at={compared}
        open={reading.difference !== null}
        onToggle={(open) => store.edit("reading", { difference: open ? [models[0] ?? "", models[1] ?? ""] : null })}
      >
        {about.models.length < 2 ? <Hint>This table has no second model to compare.</Hint> : <DifferenceControls shown={shown} />}
      </Section>
      <Section title="Subgroups" open={reading.subgroups !== null} onToggle={(open) => store.edit("reading", { subgroups: open ? (about.attributes[0]?.name ?? "") : null })}>
        {about.attributes.length === 0 ? <Hint>This table has no attributes to form groups by.</Hint> : <SubgroupControls shown={shown} about={about} />}
      </Section>
    </section>
  );
}
