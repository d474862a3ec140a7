// One table of a million rows, drawn at random, and what the three charts show of it.
export interface Curves {
  fpr: Float64Array;
  tpr: Float64Array;
  low: Float64Array; // band of the true positive rate
  high: Float64Array;
  threshold: Float64Array; // falling
  profit: Float64Array[]; // of two models
  accepted: Float64Array; // share of rows, on the second axis
}

export interface Months {
  start: Float64Array; // days since 1970
  end: Float64Array;
  names: string[];
  counts: Float64Array[]; // by class
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function curves(n: number): Curves {
  const draw = random(7);
  const score = Float64Array.from({ length: n }, () => draw() ** 0.7 * (0.4 + 0.6 * draw())).sort().reverse();
  const event = Uint8Array.from(score, (p) => (draw() < p ? 1 : 0));
  const positives = event.reduce((sum, one) => sum + one, 0);
  const of = () => new Float64Array(n);
  const [fpr, tpr, low, high, first, second, accepted] = [of(), of(), of(), of(), of(), of(), of()];
  let [tp, fp] = [0, 0];
  for (let i = 0; i < n; i++) {
    if (event[i]) tp++;
    else fp++;
    fpr[i] = fp / (n - positives);
    tpr[i] = tp / positives;
    const half = 0.01 + 0.12 * Math.sqrt(tpr[i]! * (1 - tpr[i]!));
    low[i] = Math.max(0, tpr[i]! - half);
    high[i] = Math.min(1, tpr[i]! + half);
    first[i] = (120 * tp - 90 * fp) / n;
    second[i] = (112 * tp - 86 * fp) / n;
    accepted[i] = (i + 1) / n;
  }
  return { fpr, tpr, low, high, threshold: score, profit: [first, second], accepted };
}

// As the server thins: of the points in a column of pixels the first, the last and the extremes.
export function thinned(all: Curves, width: number): Curves {
  const { fpr, tpr, low, high } = all;
  const kept = new Set<number>();
  const n = fpr.length;
  for (let from = 0; from < n; ) {
    const column = Math.floor(fpr[from]! * (width - 1));
    let to = from;
    while (to + 1 < n && Math.floor(fpr[to + 1]! * (width - 1)) === column) to++;
    for (const values of [tpr, low, high]) {
      let [least, most] = [from, from];
      for (let i = from; i <= to; i++) {
        if (values[i]! < values[least]!) least = i;
        if (values[i]! > values[most]!) most = i;
      }
      kept.add(least).add(most);
    }
    kept.add(from).add(to);
    from = to + 1;
  }
  for (let column = 0; column < width; column++) kept.add(Math.floor((column * n) / width)); // thresholds spread, too
  const places = [...kept].sort((a, b) => a - b);
  const take = (values: Float64Array) => Float64Array.from(places, (place) => values[place]!);
  return { fpr: take(fpr), tpr: take(tpr), low: take(low), high: take(high), threshold: take(all.threshold), profit: all.profit.map(take), accepted: take(all.accepted) };
}

export function months(): Months {
  const draw = random(11);
  const first = Array.from({ length: 37 }, (_, month) => Date.UTC(2023, month) / 864e5);
  const counts = [0, 1, 2].map((row) => Float64Array.from({ length: 36 }, (_, month) => Math.round((3 - row) * (80 + 30 * Math.sin(month / 2 + row) + 20 * draw()))));
  return { start: Float64Array.from(first.slice(0, 36)), end: Float64Array.from(first.slice(1)), names: ["paid", "late", "default"], counts };
}

export const best = (data: Curves): number => data.profit[0]!.reduce((most, value, i) => (value > data.profit[0]![most]! ? i : most), 0);

// A colour of the style sheet, as it is now.
export const ink = (name: string): string => getComputedStyle(document.getElementById("main")!).getPropertyValue(name).trim();
