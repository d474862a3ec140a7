import { numberText, pEquals, pText } from "./format";

interface NumberShown {
  value: number | null | undefined;
  digits?: number;
  name?: string;
}

// A number on the screen; its `value` is the whole number, for tests, copying and machines.
export function Num({ value, digits, name, as = numberText }: NumberShown & { as?: (value: number | null | undefined, digits?: number) => string }) {
  return (
    <data value={value === null || value === undefined ? "" : String(value)} data-name={name} title={value === null || value === undefined ? undefined : String(value)}>
      {as(value, digits)}
    </data>
  );
}

// A p-value on the screen, in a table and in a sentence.
export const PNum = (shown: NumberShown) => <Num {...shown} as={pText} />;
export const PEquals = (shown: NumberShown) => <Num {...shown} as={pEquals} />;
