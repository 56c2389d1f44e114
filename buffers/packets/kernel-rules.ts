/** The differences between Linux versions in the rule that an unused window does not grow (`tcp_cwnd_validate`). */
export interface KernelRules {
  /** From 5.11 on: that the window limits the sender is noted also when it makes it send nothing (299bcb55ecd1). */
  readonly notesDeferralAlone: boolean;
  /** From 6.1 on: once noted it holds for the rest of the window, even if more is in flight later (f4ce91ce12a7). */
  readonly keepsLimited: boolean;
}

export const kernels = {
  '5.5': { notesDeferralAlone: false, keepsLimited: false },
  '5.11': { notesDeferralAlone: true, keepsLimited: false },
  '6.1': { notesDeferralAlone: true, keepsLimited: true },
} as const satisfies Record<string, KernelRules>;
export type KernelName = keyof typeof kernels;
export const KERNEL_NAMES = Object.keys(kernels) as readonly KernelName[];
