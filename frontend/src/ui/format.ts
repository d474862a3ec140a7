// Numbers as they are read: four digits that matter, no exponent between 0.0001 and 1e7.
export function numberText(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0"; // also -0
  const size = Math.abs(value);
  const whole = Number.isInteger(value) && size < 1e15;
  const text = whole
    ? value.toLocaleString("en", { maximumFractionDigits: 0 })
    : size >= 1e7 || size < 1e-4
      ? value.toExponential(digits - 1)
      : Number(value.toPrecision(Math.max(digits, Math.floor(Math.log10(size)) + 1))).toLocaleString("en", { maximumSignificantDigits: 15 });
  return text.replaceAll("-", "−");
}

// A p-value: no number where it is as good as 0, as the library writes it.
export const pText = (value: number | null | undefined, digits?: number): string =>
  typeof value === "number" && value <= 0 ? "< 0.001" : numberText(value, digits);

// A p-value for a sentence: "p = 0.0542" or "p < 0.001".
export const pEquals = (value: number | null | undefined, digits?: number): string => {
  const text = pText(value, digits);
  return `p ${text.startsWith("<") ? "" : "= "}${text}`;
};

export const percentText = (share: number | null | undefined): string =>
  share === null || share === undefined ? "–" : `${numberText(100 * share, 3)} %`;

// The date so many days after the beginning of 1970.
export const dayText = (days: number): string => new Date(Math.floor(days) * 864e5).toISOString().slice(0, 10);

// The date, with the time of day where it has one.
export const timeText = (days: number): string => (days % 1 ? new Date(Math.round(days * 864e5)).toISOString().slice(0, 16).replace("T", " ") : dayText(days));

// What the number of examples counts: rows, where every row is an example of its own.
export const unitOf = ({ n, rows }: { n: number; rows: number }): string => (n === rows ? "row" : "example");

export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${numberText(count)} ${count === 1 ? noun : plural}`;
}

// A number as attributes for screen readers want it: finite, and without an exponent.
export const plainNumber = (value: number): string => {
  const most = Number.MAX_SAFE_INTEGER;
  const text = String(Math.min(most, Math.max(-most, value)));
  return text.includes("e") ? Number(text).toFixed(20) : text;
};
