// What a result says of itself, as the terminal and the report print it too.
import { Hint } from "./Notice";

export interface Presentation {
  subject: string;
  tone: "" | "bad" | "good" | "open";
  summary: string;
  details: { key: string; label: string; text: string }[];
  notes: { text: string; code: string }[];
  next_step: { request: string; text: string } | null;
  legend: string[];
  tables?: { title: string; more: string; left: string[]; columns: Record<string, string[]> }[]; // of a result without a chart
}

export const Notes = ({ presentation }: { presentation: Presentation }) => <>{presentation.notes.map(({ text }) => <Hint key={text}>{text}</Hint>)}</>;

// Below the evidence: in how many groups the rows are, and what the labels mean.
export const Legend = ({ presentation }: { presentation: Presentation }) => (
  <>
    {presentation.details.filter(({ key }) => key === "row_groups").map(({ label, text }) => <Hint key={label}>{`${label.charAt(0).toUpperCase()}${label.slice(1)}: ${text}`}</Hint>)}
    {presentation.legend.map((text) => <Hint key={text}>{text}</Hint>)}
  </>
);
