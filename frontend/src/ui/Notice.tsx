import type { ComponentChildren } from "preact";
import type { Failure } from "../host";

// What went wrong, and what to do: text only, whatever it holds.
export function Notice({ failure, retry }: { failure: Failure; retry?: () => void }) {
  if (failure.kind === "cancelled") {
    return (
      <Hint>
        Cancelled. {retry && <button onClick={retry}>Compute again</button>}
      </Hint>
    );
  }
  return (
    <div class="notice" role="alert">
      <p>{failure.message}</p>
      {failure.formula !== undefined && failure.start !== undefined && (
        <pre>{`${failure.formula}\n${" ".repeat(failure.start)}${"^".repeat(Math.max(1, (failure.end ?? 0) - failure.start))}`}</pre>
      )}
      {retry && <button onClick={retry}>Try again</button>}
    </div>
  );
}

export const Hint = ({ children }: { children: ComponentChildren }) => <p class="hint">{children}</p>;
