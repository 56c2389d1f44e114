/** What a congestion control does to the packets in flight at a loss: Updating the Theory of Buffer Sizing §3.5. */
export interface Algorithm {
  readonly name: string;
  /**
   * `multiply`: of the window, `factor` is left. `drain`: the rate is `factor` of the link's for one round trip, which
   * takes 1 - `factor` BDP out of the queue.
   */
  readonly atLoss: 'multiply' | 'drain';
  readonly factor: number;
}

export const ALGORITHMS = {
  reno: { name: 'reno', atLoss: 'multiply', factor: 1 / 2 },
  // Linux's beta_cubic is 717/1024; the paper reckons with 7/10.
  cubic: { name: 'cubic', atLoss: 'multiply', factor: 7 / 10 },
  scalable: { name: 'scalable', atLoss: 'multiply', factor: 7 / 8 },
  // Version 1, while it probes for bandwidth: after the phase of 5/4 that met the loss comes one of 3/4.
  bbr: { name: 'bbr', atLoss: 'drain', factor: 3 / 4 },
} as const satisfies Record<string, Algorithm>;

export type AlgorithmName = keyof typeof ALGORITHMS;

const isName = (text: string): text is AlgorithmName => Object.hasOwn(ALGORITHMS, text);

/** By its name, or of one's own by what a loss leaves of its window: `0.8`. Throws an Error for anything else. */
export function readAlgorithm(text: string): Algorithm {
  if (isName(text)) return ALGORITHMS[text];
  const factor = /^[\d.]+$/.test(text) ? Number(text) : NaN;
  if (factor > 0 && factor < 1) return { name: `b = ${factor}`, atLoss: 'multiply', factor };
  const names = Object.keys(ALGORITHMS).join(', ');
  throw new Error(
    `--cc is '${text}', expected ${names}, or what a loss leaves of the window, between 0 and 1, such as 0.8`,
  );
}
