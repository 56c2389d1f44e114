/** What a congestion control does to the packets in flight at a loss: Updating the Theory of Buffer Sizing §3.5. */
export interface AtLoss {
  /**
   * `multiply`: of the window, `factor` is left. `drain`: the rate is `factor` of the link's for one round trip, which
   * takes 1 - `factor` BDP out of the queue.
   */
  readonly atLoss: 'multiply' | 'drain';
  readonly factor: number;
}

export interface CongestionControl {
  /** Its color in every figure. */
  readonly color: string;
  /** Whether Linux brings it; or else a C file of its name here, which BPF loads. */
  readonly ofLinux: boolean;
  /** Null: the theory says nothing of it, and the paper's figures have it only when asked. */
  readonly loss: AtLoss | null;
}

/**
 * The lab's congestion controls: to add one is to add a line here and, where Linux lacks it, its C file. Those that also run
 * in virtual time are in `network/virtual/rounds/congestion/` and `buffers/packets/controls/`, by the same names.
 */
export const congestionControls = {
  reno: { color: 'var(--arm-1)', ofLinux: true, loss: { atLoss: 'multiply', factor: 1 / 2 } },
  // Linux's beta_cubic is 717/1024; the paper reckons with 7/10.
  cubic: { color: 'var(--arm-5)', ofLinux: true, loss: { atLoss: 'multiply', factor: 7 / 10 } },
  scalable: { color: 'var(--arm-3)', ofLinux: false, loss: { atLoss: 'multiply', factor: 7 / 8 } },
  // Version 1, while it probes for bandwidth: after the phase of 5/4 that met the loss comes one of 3/4.
  bbr: { color: 'var(--arm-7)', ofLinux: true, loss: { atLoss: 'drain', factor: 3 / 4 } },
  // It goes by the delay, and stays below what would be lost.
  vegas: { color: 'var(--arm-2)', ofLinux: false, loss: null },
} as const satisfies Readonly<Record<string, CongestionControl>>;

export type CongestionControlName = keyof typeof congestionControls;

const names = Object.keys(congestionControls) as CongestionControlName[];

export const OF_LINUX = names.filter((name) => congestionControls[name].ofLinux);
export const LOADED = names.filter((name) => !congestionControls[name].ofLinux);

/** Throws an Error that lists them if there is none of that name. */
export function congestionControlNamed(name: string): CongestionControlName {
  const known = names.find((each) => each === name);
  if (known) return known;
  throw new Error(`there is no congestion control '${name}'; there are ${names.join(', ')}`);
}
