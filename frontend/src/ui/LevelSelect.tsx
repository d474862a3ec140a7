import { choicesOf, useRequests } from "../requests";
import { Select } from "./fields";

// How often an interval or a band is to hold.
export function LevelSelect({ label, value, onChange }: { label: string; value: number; onChange: (level: number) => void }) {
  const offered = choicesOf(useRequests(), "confusion", "level");
  const choices = offered.some((one) => one.value === value) ? offered : [...offered, { value, label: `${100 * value} %` }];
  return <Select label={label} value={value} choices={choices} onChange={(text) => onChange(Number(text))} />;
}
