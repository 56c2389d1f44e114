import { createHash, randomBytes } from 'node:crypto';
import type { Bytes } from '../../../src/units.ts';
import { addressBlock } from '../connections/address-block.ts';

/** The number of counters: an index has two bytes. */
const COUNTERS = 65_536;

/** An address may use at most this share of the remaining free space. */
const MAX_SHARE_OF_FREE = 1 / 4;

/**
 * Shares an hour's storage among addresses, so that no address can take everything. The method is the dynamic threshold
 * of shared-memory switches (Choudhury and Hahne, IEEE/ACM Trans. Networking 6(2), 1998): an address is refused when it
 * has stored more than a quarter of the remaining free space. A single address thus gets at most a fifth of the
 * storage, and n greedy addresses leave 4 / (4 + n) of it to others. An address without stored data is never refused.
 *
 * A hash with a salt per hour maps addresses to a fixed number of counters. Memory therefore does not grow with the
 * number of addresses, no address is stored, and nobody can choose an address that shares a counter with another. A /64
 * prefix of IPv6 counts as one address.
 */
export class FairShare {
  readonly #taken = new Float64Array(COUNTERS);
  #salt = randomBytes(16);

  /** Begins a new hour with empty counters. */
  restart(): void {
    this.#taken.fill(0);
    this.#salt = randomBytes(16);
  }

  /** Whether an address may store `size` further bytes, given the remaining free space. */
  allows(address: string, size: number, free: Bytes): boolean {
    const taken = this.#taken[this.#getCounter(address)] ?? 0;
    return taken === 0 || taken + size <= free * MAX_SHARE_OF_FREE;
  }

  took(address: string, size: number): void {
    const counter = this.#getCounter(address);
    this.#taken[counter] = (this.#taken[counter] ?? 0) + size;
  }

  #getCounter(address: string): number {
    return createHash('sha256').update(this.#salt).update(addressBlock(address)).digest().readUInt16BE(0);
  }
}
