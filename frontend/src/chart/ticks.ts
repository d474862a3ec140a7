// Round values along an axis, and how they are written.
import { dayText, numberText, timeText } from "../ui/format";
import { type Extent, type Scale, transformed } from "./scales";

export interface Tick {
  value: number;
  pixel: number;
  text: string;
  month?: string; // on two lines: the month, and below the first of a year that year
  year?: string;
  edge?: boolean; // it stands for what has no place on the axis
}

const STEPS = [1, 2, 2.5, 5, 10];
const RATES = [0.0001, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9999];

// Round numbers between two ends, at most `most` of them.
export function roundNumbers(low: number, high: number, most: number): number[] {
  if (!(high > low) || !Number.isFinite(high - low)) return Number.isFinite(low) ? [low] : [];
  const least = (high - low) / Math.max(1, most - 1);
  const power = 10 ** Math.floor(Math.log10(least));
  for (const wide of [...STEPS, 20, 25, 50]) {
    const step = wide * power;
    const first = Math.ceil(low / step - 1e-9);
    const last = Math.floor(high / step + 1e-9);
    if (last - first + 1 <= Math.max(2, most)) return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => plain((first + i) * step));
  }
  return [low, high];
}

// The number nearest in decimals: 0.30000000000000004 is 0.3.
const plain = (value: number): number => Number(value.toPrecision(12)) + 0;

// A tick's number, with as many decimals as its neighbours need.
export function tickText(value: number, step: number): string {
  const size = Math.max(Math.abs(value), step);
  if (value === 0) return "0";
  if (size >= 1e9 || size < 1e-5) return numberText(value, 3);
  const decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const more = Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6 ? 1 : 0;
  return value.toLocaleString("en", { maximumFractionDigits: Math.min(20, decimals + more) }).replace("-", "−");
}

const DAY = 864e5; // milliseconds
const HOURS = [1, 2, 3, 6, 12];
const DAYS = [1, 2, 4, 7, 14];
const MONTH = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" });
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200];

// Round dates between two ends, in days since the beginning of 1970, at most `most` of them: hours, days,
// first days of months or of years.
export function roundDates(low: number, high: number, most: number): Omit<Tick, "pixel">[] {
  if (!(high > low) || !Number.isFinite(high - low)) return [];
  for (const hours of HOURS) {
    if (((high - low) * 24) / hours > most) continue;
    const first = Math.ceil((low * 24) / hours - 1e-9);
    return Array.from({ length: Math.floor((high * 24) / hours + 1e-9) - first + 1 }, (_, i) => ((first + i) * hours) / 24).map((value) => ({ value, text: value % 1 ? timeText(value).slice(11) : dayText(value) }));
  }
  for (const days of DAYS) {
    if ((high - low) / days > most) continue;
    const first = Math.ceil(low / days);
    return Array.from({ length: Math.floor(high / days) - first + 1 }, (_, i) => (first + i) * days).map((value) => ({ value, text: dayText(value) }));
  }
  const date = (days: number): Date => new Date(days * DAY);
  for (const months of MONTHS) {
    if ((high - low) / (30.5 * months) > most) continue;
    const ticks: Omit<Tick, "pixel">[] = [];
    const since = (at: Date): number => at.getUTCFullYear() * 12 + at.getUTCMonth();
    for (let month = Math.floor(since(date(low)) / months) * months; month <= since(date(high)); month += months) {
      const value = Date.UTC(Math.floor(month / 12), month % 12) / DAY;
      if (value < low) continue;
      const [year, text] = [dayText(value).slice(0, 4), dayText(value).slice(0, 7)];
      if (months % 12 === 0) ticks.push({ value, text: year });
      else ticks.push({ value, text, month: MONTH.format(date(value)), ...(ticks.at(-1)?.text.startsWith(year) ? {} : { year }) });
    }
    return ticks;
  }
  return [{ value: low, text: dayText(low) }, { value: high, text: dayText(high) }];
}

// The ends of an axis of dates are dates too: it has no others to stand for it.
const dateTicks = (scale: Scale, apart: number): Tick[] => {
  const { low, high } = scale.extent;
  const most = Math.max(2, Math.floor(Math.abs(scale.place(high) - scale.place(low)) / apart));
  const round = roundDates(low, high, most);
  const ticks = round.length ? round : [{ value: low, text: dayText(low) }];
  return ticks.map((tick) => ({ ...tick, pixel: scale.place(tick.value) }));
};

export interface TickWish {
  dates?: boolean;
  whole?: boolean; // whole numbers alone
}

export function ticksOf(scale: Scale, apart: number, { dates = false, whole = false }: TickWish = {}): Tick[] {
  const { extent } = scale;
  const edges = edgeTicks(extent, scale);
  if (dates) return [...edges, ...dateTicks(scale, apart)];
  if (extent.kind !== "linear") return [...edges, ...rateTicks(scale, apart, edges)];
  const room = Math.abs(scale.place(extent.high) - scale.place(extent.low));
  const round = roundNumbers(extent.low, extent.high, Math.max(2, Math.floor(room / apart) + 1));
  const values = whole ? round.filter(Number.isInteger) : round;
  const step = values.length > 1 ? values[1]! - values[0]! : Math.abs(values[0] ?? 1);
  return [...edges, ...values.map((value) => ({ value, pixel: scale.place(value), text: tickText(value, step) }))];
}


function edgeTicks(extent: Extent, scale: Scale): Tick[] {
  const rates = extent.kind !== "linear";
  const ticks: Tick[] = [];
  if (extent.below !== null) ticks.push({ value: rates ? 0 : -Infinity, pixel: scale.place(rates ? 0 : -Infinity), text: rates ? "0 %" : "−∞", edge: true });
  if (extent.above !== null) ticks.push({ value: rates ? 1 : Infinity, pixel: scale.place(rates ? 1 : Infinity), text: rates ? "100 %" : "∞", edge: true });
  return ticks;
}

// Round rates, the middle ones first, as far as there is room beside each other.
function rateTicks(scale: Scale, apart: number, edges: readonly Tick[]): Tick[] {
  const { extent } = scale;
  const taken = edges.map((tick) => tick.pixel);
  const ticks: Tick[] = [];
  for (const rate of [...RATES].sort((a, b) => Math.abs(a - 0.5) - Math.abs(b - 0.5))) {
    const place = transformed(extent.kind, rate);
    const pixel = scale.place(rate);
    if (place < extent.low - 1e-9 || place > extent.high + 1e-9 || taken.some((other) => Math.abs(other - pixel) < apart)) continue;
    taken.push(pixel);
    ticks.push({ value: rate, pixel, text: `${plain(100 * rate)} %` });
  }
  return ticks.sort((a, b) => a.value - b.value);
}
