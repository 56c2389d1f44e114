/**
 * Exponentials and logarithms from sums and products only, which IEEE 754 defines exactly. Math.exp, Math.log and `**`
 * depend on the engine: Node 20 and Chromium 156 differ in the last digit of a tenth of the values, so a session in a
 * browser would differ from the same session in the lab.
 */

/** ln 2 in two parts. The first has so few digits that its multiples by whole numbers are exact (fdlibm). */
const LN2_HIGH = 6.9314718036912381649e-1;
const LN2_LOW = 1.90821492927058770002e-10;
const LN2 = LN2_HIGH + LN2_LOW;
/** The numbers of terms of the two series, enough for the remainder to be below the last digit. */
const EXP_TERMS = 14;
const LN_TERMS = 11;

export function exp(x: number): number {
  if (x < -745) return 0;
  const twos = Math.round(x / LN2);
  const rest = x - twos * LN2_HIGH - twos * LN2_LOW;
  let [sum, term] = [1, 1];
  for (let n = 1; n <= EXP_TERMS; n++) sum += term *= rest / n;
  return times2(sum, twos);
}

/** The natural logarithm; x must be above 0. */
export function ln(x: number): number {
  let [twos, rest] = [0, x];
  for (; rest > Math.SQRT2; twos++) rest /= 2;
  for (; rest < Math.SQRT1_2; twos--) rest *= 2;
  // ln((1 + s) / (1 - s)) = 2 (s + s³/3 + s⁵/5 + ...)
  const s = (rest - 1) / (rest + 1);
  let sum = 0;
  for (let n = 2 * LN_TERMS - 1; n > 0; n -= 2) sum = sum * s * s + 1 / n;
  return twos * LN2_HIGH + (2 * s * sum + twos * LN2_LOW);
}

/** Raises a base above 0 to the power of x. */
export const power = (base: number, x: number): number => exp(x * ln(base));

function times2(value: number, twos: number): number {
  let scaled = value;
  for (let n = Math.abs(twos); n > 0; n--) scaled *= twos > 0 ? 2 : 0.5;
  return scaled;
}
