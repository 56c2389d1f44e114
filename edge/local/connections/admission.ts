import { addressBlock } from './address-block.ts';

export interface AdmissionLimits {
  /** Connections open at once. */
  readonly connections: number;
  /** Of these, from one IPv4 address, or from one /64 of IPv6. */
  readonly perAddress: number;
}

/**
 * Each connection may have a few files and some hundred kilobytes open; with a descriptor for its socket and a few
 * for its files, so many fit into the 20,000 and more descriptors that systems commonly grant.
 */
export const MAX_CONNECTIONS = 4096;

/** A browser opens six to a host; behind one address may be a household or an office, not a city. */
export const MAX_CONNECTIONS_PER_ADDRESS = 256;

/** Who may connect while how many others are connected. */
export class Admission {
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  constructor(readonly limits: AdmissionLimits) {}

  /** Connections admitted that have not left. */
  get open(): number {
    return this.#open;
  }

  /** True when there is room: then it must leave() once it is closed. */
  admit(address: string): boolean {
    const block = addressBlock(address);
    const ofAddress = this.#byAddress.get(block) ?? 0;
    if (this.#open >= this.limits.connections || ofAddress >= this.limits.perAddress) return false;
    this.#open += 1;
    this.#byAddress.set(block, ofAddress + 1);
    return true;
  }

  leave(address: string): void {
    this.#open -= 1;
    const block = addressBlock(address);
    const left = (this.#byAddress.get(block) ?? 1) - 1;
    if (left > 0) this.#byAddress.set(block, left);
    else this.#byAddress.delete(block);
  }
}
