// ?with=own|uplot|canvas|svg|plot&rows=thinned|all: the three charts of one candidate.
// `trial` is what bench_charts.py reads: times, and the charts as SVG where the candidate can.
import "@workbench/styles/index.css";
import "./trial.css";
import { type Curves, curves, type Months, months, thinned } from "./data";

export interface Hosts {
  roc: HTMLElement;
  profit: HTMLElement;
  months: HTMLElement;
}
export interface Candidate {
  draw(hosts: Hosts, curves: Curves, months: Months): { vectors?: () => string; recolor?: () => void };
}

const CANDIDATES: Record<string, () => Promise<{ candidate: (kind: string) => Candidate }>> = {
  own: () => import("./own"),
  uplot: () => import("./uplot"),
  canvas: () => import("./echarts"),
  svg: () => import("./echarts"),
  plot: () => import("./plot"),
};

// Three frames later what was drawn before is on the screen, rasterised.
const shown = async (): Promise<void> => {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  for (const canvas of document.querySelectorAll("canvas")) canvas.getContext("2d")?.getImageData(0, 0, 1, 1);
};

async function timed(act: () => void | Promise<void>): Promise<number> {
  const from = performance.now();
  await act();
  await shown();
  return performance.now() - from;
}

const asked = new URLSearchParams(location.search);
const kind = asked.get("with") ?? "own";
const violations: string[] = [];
document.addEventListener("securitypolicyviolation", (event) => violations.push(`${event.violatedDirective} ${event.sourceFile?.split("/").pop() ?? ""}`));

const all = curves(Number(asked.get("n") ?? 1_000_000));
const points = asked.get("rows") === "all" ? all : thinned(all, 800);
const hosts = Object.fromEntries(["roc", "profit", "months"].map((id) => [id, document.getElementById(id)!])) as unknown as Hosts;
const candidate = (await CANDIDATES[kind]!()).candidate(kind);
await shown();
const empty = await timed(() => undefined);
let drawn: ReturnType<Candidate["draw"]> = {};
const first = await timed(() => void (drawn = candidate.draw(hosts, points, months())));
let moved: Promise<number> | null = null;
Object.assign(window, {
  trial: {
    empty,
    first,
    points: points.fpr.length,
    violations,
    vectors: () => drawn.vectors?.() ?? null,
    recolor: () => drawn.recolor?.(),
    // The time from the next move of the pointer to the screen.
    listen: () => void (moved = new Promise((done) => window.addEventListener("pointermove", () => void timed(() => new Promise(requestAnimationFrame).then(() => undefined)).then(done), { capture: true, once: true }))),
    moved: () => moved,
  },
});
document.documentElement.dataset["ready"] = "";
