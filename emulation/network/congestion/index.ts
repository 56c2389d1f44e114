/** How a congestion control reduces the packets in flight at a loss: Updating the Theory of Buffer Sizing §3.5. */
export interface AtLoss {
  /**
   * `multiply`: multiplies the window by `factor`. `drain`: sends at `factor` of the link's rate for one round trip,
   * which removes 1 - `factor` BDP from the queue.
   */
  readonly atLoss: 'multiply' | 'drain';
  readonly factor: number;
}

export interface CongestionControl {
  /** The control's color in every figure. */
  readonly color: string;
  /** Whether Linux includes the algorithm. If not, BPF loads a C file of the same name from this folder. */
  readonly isInLinux: boolean;
  /** Null if the theory does not cover the algorithm; the figures of `buffer-paper` then include it only on request. */
  readonly loss: AtLoss | null;
}

/**
 * The lab's congestion controls. To add one, add a line here and, if Linux lacks it, its C file. Those that also run in
 * virtual time have the same names in `network/virtual/rounds/congestion/` and `buffers/packets/controls/`.
 */
export const congestionControls = {
  reno: { color: 'var(--arm-1)', isInLinux: true, loss: { atLoss: 'multiply', factor: 1 / 2 } },
  // Linux's beta_cubic is 717/1024; Updating the Theory of Buffer Sizing uses 7/10.
  cubic: { color: 'var(--arm-5)', isInLinux: true, loss: { atLoss: 'multiply', factor: 7 / 10 } },
  scalable: { color: 'var(--arm-3)', isInLinux: false, loss: { atLoss: 'multiply', factor: 7 / 8 } },
  // BBR version 1, while it probes for bandwidth: the phase at 5/4 of the rate, in which the loss occurred, is followed
  // by a phase at 3/4.
  bbr: { color: 'var(--arm-7)', isInLinux: true, loss: { atLoss: 'drain', factor: 3 / 4 } },
  // Delay-based: it reduces its window before packets are lost.
  vegas: { color: 'var(--arm-2)', isInLinux: false, loss: null },
} as const satisfies Readonly<Record<string, CongestionControl>>;

export type CongestionControlName = keyof typeof congestionControls;

const names = Object.keys(congestionControls) as CongestionControlName[];

export const LINUX_CONTROLS = names.filter((name) => congestionControls[name].isInLinux);
export const BPF_CONTROLS = names.filter((name) => !congestionControls[name].isInLinux);

/** Finds a congestion control by name. If there is none, throws an Error that lists all names. */
export function congestionControlNamed(name: string): CongestionControlName {
  const known = names.find((each) => each === name);
  if (known) return known;
  throw new Error(`there is no congestion control '${name}'; there are ${names.join(', ')}`);
}
