import { numberText } from "./format";

// A number on the screen; its `value` is the whole number, for tests, copying and machines.
export function Num({ value, digits, name }: { value: number | null | undefined; digits?: number; name?: string }) {
  return (
    <data value={value === null || value === undefined ? "" : String(value)} data-name={name} title={value === null || value === undefined ? undefined : String(value)}>
      {numberText(value, digits)}
    </data>
  );
}
