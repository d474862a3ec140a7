import type { About } from "../answers";
import { usePart } from "../store";
import { useRequests } from "../requests";
import { OtherControls } from "../ui/OtherControls";
import { VIEWS } from "../views";
import { Block } from "./Block";
import { isBinary, requestQuestion } from "./questions";
import { Section } from "./Section";
import { Hint } from "../ui/Notice";

// A section for each request whose row names this room and that has no view of its own.
export function RequestSections({ room, about, model }: { room: string; about: About; model: string | null }) {
  const requests = useRequests();
  const rows = Object.values(requests).filter((row) => row.room === room && !Object.hasOwn(VIEWS, row.name));
  return (
    <>
      {rows.map((row) => (
        <Section key={row.name} name={row.name} title={row.section || row.title} text={row.section ? row.title : ""}>
          {() => <RequestSection request={row.name} about={about} model={model} />}
        </Section>
      ))}
    </>
  );
}

function RequestSection({ request, about, model }: { request: string; about: About; model: string | null }) {
  const data = usePart((state) => state.data);
  const calibration = usePart((state) => state.calibration);
  const requests = useRequests();
  const row = requests[request]!;
  const names = about.attributes.map((one) => one.name);
  if ("by" in row.params && !names.length) return <Hint>The table has no attribute column to form groups by.</Hint>;
  const missing = Object.values(row.params).filter(({ name, lines }) => lines && !calibration.asked[`${request}.${name}`]);
  if (missing.length) {
    return (
      <div class="stack">
        <OtherControls request={request} part="calibration" attributes={names} folded={false} />
        <Hint>Write the text, or paste it. It is checked once you leave the field.</Hint>
      </div>
    );
  }
  const ignored = "view" in row.params && !isBinary(requests, calibration.view);
  return (
    <Block
      question={requestQuestion({ data, calibration, requests }, model, request, names)}
      title={`${row.section || row.title}${model === null ? "" : ` (${model})`}`}
      controls={
        <>
          <OtherControls request={request} part="calibration" attributes={names} folded={false} />
          {ignored && <Hint>Not available for this view; showing the default view.</Hint>}
        </>
      }
      heading={false}
    />
  );
}
