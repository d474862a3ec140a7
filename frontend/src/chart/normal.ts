// The normal distribution, as exactly as a screen needs it.

const A = [-3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1, 2.506628277459239];
const B = [-5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1, 1];
const C = [-7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783];
const D = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1];
const TAIL = 0.02425;

const horner = (weights: readonly number[], x: number): number => weights.reduce((sum, weight) => sum * x + weight, 0);

// The normal deviate of a rate: Acklam's rational approximation, relative error below 1.2e-9.
export function deviate(rate: number): number {
  if (Number.isNaN(rate)) return NaN;
  if (rate <= 0) return -Infinity;
  if (rate >= 1) return Infinity;
  if (rate > 1 - TAIL) return -deviate(1 - rate);
  if (rate < TAIL) {
    const q = Math.sqrt(-2 * Math.log(rate));
    return horner(C, q) / horner(D, q);
  }
  const q = rate - 0.5;
  return (horner(A, q * q) * q) / horner(B, q * q);
}

// The rate below a normal deviate (Abramowitz & Stegun 1964, 26.2.17; absolute error below 8e-8).
export function share(place: number): number {
  if (place < 0) return 1 - share(-place);
  const t = 1 / (1 + 0.2316419 * place);
  const tail = horner([1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153, 0], t);
  return 1 - (Math.exp((-place * place) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}
