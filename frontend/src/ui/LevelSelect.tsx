import { Select } from "./fields";

const LEVELS = [0.8, 0.9, 0.95, 0.99];

// How often an interval or a band is to hold.
export function LevelSelect({ label, value, onChange }: { label: string; value: number; onChange: (level: number) => void }) {
  const choices = [...new Set([...LEVELS, value])].sort().map((one) => ({ value: String(one), label: `${100 * one} %` }));
  return <Select label={label} value={String(value)} choices={choices} onChange={(text) => onChange(Number(text))} />;
}
