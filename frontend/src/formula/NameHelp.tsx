import type { FunctionHelp, Level, Variable } from "./vocabulary";

const LEVELS: Record<Level, string> = {
  set: "one value for all rows",
  row: "a value in every row",
  state: "a value at every threshold",
};

// What a name means, at which level it lives, and what it is short for.
export function NameHelp({ help }: { help: Variable | FunctionHelp }) {
  const level = help.level === null ? "" : `; ${LEVELS[help.level]}`;
  if ("signature" in help) {
    return (
      <p class="name-help">
        <code>{help.signature}</code> {help.meaning}
        {level}
      </p>
    );
  }
  return (
    <p class="name-help">
      <code>{help.name}</code> {help.attribute ? attribute(help) : help.meaning}
      {help.formula !== null && (
        <>
          , <code>{help.formula}</code>
        </>
      )}
      {level}
    </p>
  );
}

function attribute(variable: Variable): string {
  if (variable.kind !== "category") return variable.kind === "truth" ? "column of yes and no" : "column of numbers";
  const shown = variable.categories.slice(0, 4).join(", ");
  return `column with ${variable.categories.length === 1 ? "the value" : "the values"} ${shown}${variable.categories.length > 4 ? ", …" : ""}`;
}
