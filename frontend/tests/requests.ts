// A few choices as the library serves them; what it serves is tested there.
import type { Choice, Requests } from "../src/requests";

const number = { usual: 15, least: 2, most: 100 };
const row = (name: string, params: Record<string, Choice[]>): Requests => ({
  [name]: { name, title: name, room: "", section: "", params: Object.fromEntries(Object.entries(params).map(([param, choices]) => [param, { name: param, label: param, help: "", default: null, choices, least: null, most: null }])) },
});
const choice = (value: string, facts: object = {}): Choice => ({ value, label: value, ...facts });

export const REQUESTS: Requests = {
  ...row("calibration", {
    view: [choice(""), choice("top-label"), choice("classwise", { several: true }), choice("joint", { several: true, binless: true })],
    bins: [choice("equal-width", { number, edges: true }), choice("equal-size", { number, edges: true }), choice("isotonic")],
    distance: [choice("absolute"), choice("hellinger", { unless: { view: ["joint"] } })],
  }),
  ...row("test", { statistic: [choice("omnibus"), choice("ece", { binned: true })] }),
  ...row("plan", { effect: [choice("overconfident", { size: { usual: 1.2, least: 1, most: 100, unit: "Temperature", step: 0.05 } })] }),
};
