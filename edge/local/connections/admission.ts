import { addressBlock } from './address-block.ts';

export interface AdmissionLimits {
  /** The most connections open at once. */
  readonly connections: number;
  /** The most of them from one IPv4 address, or from one /64 prefix of IPv6. */
  readonly perAddress: number;
}

/**
 * Each connection takes a descriptor for its socket, a few for its files, and some hundred kilobytes. This many fit into
 * the 20,000 and more descriptors that systems commonly grant.
 */
export const MAX_CONNECTIONS = 4096;

/** A browser opens six connections to a host; this is enough for all viewers of a household or an office. */
export const MAX_CONNECTIONS_PER_ADDRESS = 256;

/** Limits how many connections are open, altogether and per address. */
export class Admission {
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  constructor(readonly limits: AdmissionLimits) {}

  /** The number of connections that were admitted and have not left. */
  get open(): number {
    return this.#open;
  }

  /** Whether a connection may be served. If so, `leave` must be called when it is closed. */
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
