/** The probability of at most `k` hits in `n` draws with hit probability `p`. */
export function binomialAtMost(k: number, n: number, p: number): number {
  if (k >= n || p <= 0) return k >= 0 ? 1 : 0;
  if (p >= 1) return 0;
  let log = n * Math.log1p(-p);
  let sum = 0;
  for (let hits = 0; hits <= k; hits++) {
    sum += Math.exp(log);
    log += Math.log(((n - hits) / (hits + 1)) * (p / (1 - p)));
  }
  return Math.min(1, sum);
}

/** Whether so few or so many hits have a probability below `alpha` / 2. */
export const isUnlikely = (hits: number, n: number, p: number, alpha: number): boolean =>
  binomialAtMost(hits, n, p) < alpha / 2 || 1 - binomialAtMost(hits - 1, n, p) < alpha / 2;
