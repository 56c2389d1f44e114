/** The differences between Linux versions in the rule that an unused window does not grow (`tcp_cwnd_validate`). */
export interface KernelRules {
  /**
   * Since 5.11 (299bcb55ecd1): an attempt in which the sender defers everything, and sends nothing, also marks the
   * window as the limit.
   */
  readonly notesDeferralAlone: boolean;
  /** Since 6.1 (f4ce91ce12a7): this mark stays for the rest of the window, even if more packets are in flight later. */
  readonly keepsLimited: boolean;
}

export const kernels = {
  '5.5': { notesDeferralAlone: false, keepsLimited: false },
  '5.11': { notesDeferralAlone: true, keepsLimited: false },
  '6.1': { notesDeferralAlone: true, keepsLimited: true },
} as const satisfies Record<string, KernelRules>;
export type KernelName = keyof typeof kernels;
export const KERNEL_NAMES = Object.keys(kernels) as readonly KernelName[];
