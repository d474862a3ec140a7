import { useEffect, useState } from "preact/hooks";
import type { About } from "../answers";
import { failureOf, useClient } from "../ask";
import { guideSeries } from "../chart/guides";
import type { Axis, Series } from "../chart/types";
import { Thumb } from "../chart/Thumb";
import { type PresetHelp, useVocabulary } from "../formula/vocabulary";
import type { Question } from "../host";
import { dataSection } from "../questions";
import { usePart, useStore } from "../store";
import { Select } from "../ui/fields";
import { type DrawnCurve, seriesOf } from "./answer";
import { withPreset } from "./edits";
import { Disclosure } from "../ui/Disclosure";

type Picture = { series: Series[]; square: boolean; scale: Axis["scale"] } | { why: string };

// All presets drawn small on the table at hand, one after the other; a click shows one large.
export function Gallery({ about, ready }: { about: About; ready: boolean }) {
  const [open, setOpen] = useState(false);
  const [seen, setSeen] = useState(false);
  return (
    <Disclosure
      class="panel gallery"
      title="Gallery: every preset on your data"
      open={open}
      onToggle={(wanted) => {
        setOpen(wanted);
        if (wanted) setSeen(true);
      }}
    >
      {seen && <Pictures about={about} ready={ready && open} onChoose={() => setOpen(false)} />}
    </Disclosure>
  );
}

function Pictures({ about, ready, onChoose }: { about: About; ready: boolean; onChoose: () => void }) {
  const store = useStore();
  const { presets } = useVocabulary();
  const data = usePart((state) => state.data);
  const shown = usePart((state) => state.curve.preset);
  const [attribute, setAttribute] = useState(about.attributes[0]?.name ?? null);
  const key = JSON.stringify(dataSection(data));
  const pictures = usePictures(presets, attribute, key, ready);
  const choose = (preset: PresetHelp) => {
    const curve = withPreset(store.state.curve, preset.name, preset.needs === "x" ? attribute : null);
    store.edit("curve", curve);
    onChoose();
  };
  return (
    <>
      {about.attributes.length > 0 && (
        <div class="gallery-column">
          <Select label="Column for the curves that are drawn against one" value={attribute ?? ""} choices={about.attributes.map(({ name }) => ({ value: name, label: name }))} onChange={setAttribute} />
        </div>
      )}
      <ul class="gallery-grid" aria-label="Presets">
        {presets.map((preset) => (
          <li key={preset.name}>
            <button type="button" class="gallery-card" aria-current={shown === preset.name ? "true" : undefined} disabled={preset.needs === "x" && attribute === null} onClick={() => choose(preset)}>
              <span class="gallery-picture">
                <Small picture={pictures[preset.name]} missing={preset.needs === "x" && attribute === null} />
              </span>
              <strong>{preset.title}</strong>
              <span class="gallery-words">{firstSentence(preset.explanation)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Small({ picture, missing }: { picture: Picture | undefined; missing: boolean }) {
  if (missing) return <small>The table has no column for the x axis.</small>;
  if (picture === undefined) return <small aria-hidden="true">…</small>;
  if ("why" in picture) return <small class="gallery-why">Undefined here: {picture.why}</small>;
  return <Thumb series={picture.series} square={picture.square} {...(picture.scale ? { scale: picture.scale } : {})} />;
}

// Ask for the pictures one after the other, so that nobody who works waits for them.
function usePictures(presets: PresetHelp[], attribute: string | null, data: string, ready: boolean): Record<string, Picture> {
  const client = useClient();
  const [pictures, setPictures] = useState<Record<string, Picture>>({});
  useEffect(() => {
    if (!ready) return undefined;
    const controller = new AbortController();
    const draw = async () => {
      for (const preset of presets) {
        if (preset.needs === "x" && attribute === null) continue;
        const picture = await drawn(client, question(preset, attribute, data), controller.signal);
        if (controller.signal.aborted) return;
        setPictures((before) => ({ ...before, [preset.name]: picture }));
      }
    };
    void draw();
    return () => controller.abort();
  }, [client, presets, attribute, data, ready]);
  return pictures;
}

const question = (preset: PresetHelp, attribute: string | null, data: string): Question => ({
  kind: "curve",
  data: JSON.parse(data) as Record<string, unknown>,
  curve: { preset: preset.name, ...(preset.needs === "x" ? { x: attribute } : {}) },
  width: 120,
  thumb: true,
});

async function drawn(client: ReturnType<typeof useClient>, asked: Question, signal: AbortSignal): Promise<Picture> {
  try {
    const answer = (await client.ask(asked, { signal })) as DrawnCurve;
    const series = seriesOf(answer);
    if (series.length) return { series: [...series.map((one) => inView(one, answer)), ...guideSeries(answer.guides)], square: answer.square, scale: answer.scale };
    return { why: answer.lines.find((line) => line.reason)?.reason ?? "no point is defined" };
  } catch (error) {
    return { why: failureOf(error).message };
  }
}

// What a stamp has room for: the unit square, or what lies above the floor.
function inView(series: Series, answer: DrawnCurve): Series {
  if (!answer.square && answer.floor === null) return series;
  const inside = (value: number) => !answer.square || (value >= -0.01 && value <= 1.01);
  const low = answer.floor ?? -Infinity;
  const kept = (values: Float64Array) => values.filter((_, place) => inside(series.x[place]!) && inside(series.y[place]!) && series.y[place]! >= low);
  const { path: _path, threshold: _threshold, ...rest } = series;
  return { ...rest, x: kept(series.x), y: kept(series.y) };
}

const firstSentence = (text: string): string => /^.*?[.](?= |$)/.exec(text)?.[0] ?? text;
