import { addressBlock } from './address-block.ts';

export interface AdmissionLimits {
  /** The maximum number of open connections. */
  readonly connections: number;
  /** The maximum number of open connections from one IPv4 address or one /64 prefix of IPv6. */
  readonly perAddress: number;
}

/**
 * The default maximum number of connections. Each needs a file descriptor for its socket, a few for files, and some
 * hundred kilobytes. Systems commonly allow 20,000 descriptors or more, which suffices.
 */
export const MAX_CONNECTIONS = 4096;

/**
 * The default maximum per address. A browser opens six connections per host, so this suffices for all viewers of a
 * household or an office.
 */
export const MAX_CONNECTIONS_PER_ADDRESS = 256;

/** Limits how many connections are open, altogether and per address. */
export class Admission {
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  constructor(readonly limits: AdmissionLimits) {}

  /** The number of connections that were admitted and are still open. */
  get open(): number {
    return this.#open;
  }

  /** Whether a connection may be served. If true, call `leave` when the connection is closed. */
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
