import { numberText } from "../ui/format";

// A range in a table, on one line.
export function Span({ low, high }: { low: number | null; high: number | null }) {
  return <span class="cal-span">{low === null || high === null ? "–" : `${numberText(low, 3)} to ${numberText(high, 3)}`}</span>;
}
