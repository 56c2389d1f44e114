import { createHash, randomBytes } from 'node:crypto';
import type { Bytes } from '../../../src/units.ts';
import { addressBlock } from '../connections/address-block.ts';

/** What a two-byte number can tell apart. */
const COUNTERS = 65_536;

/** An address has at most this many times as much as is still free for all. */
const OF_FREE = 1 / 4;

/**
 * Shares what can be stored in an hour among addresses, so that none can take it all. It is the dynamic threshold of shared
 * memory switches (Choudhury and Hahne, IEEE/ACM Trans. Networking 6(2), 1998): an address is refused from where it has
 * more than a quarter of what is still free. So a single one gets a fifth of the whole at most, and n that take all they
 * can leave 4 / (4 + n) of it to others. Nobody is refused who has nothing yet.
 *
 * An address counts in one of so many counters, by a hash with a salt of the hour: memory does not grow with the number of
 * addresses, none is kept, and nobody can choose whom to share a counter with. A /64 prefix of IPv6 is one address.
 */
export class FairShare {
  readonly #taken = new Float64Array(COUNTERS);
  #salt = randomBytes(16);

  /** Begins an hour, of which nobody has taken anything. */
  restart(): void {
    this.#taken.fill(0);
    this.#salt = randomBytes(16);
  }

  /** Whether so many bytes more are within an address's part, where so many are still free. */
  allows(address: string, size: number, free: Bytes): boolean {
    const taken = this.#taken[this.#counterOf(address)] ?? 0;
    return taken === 0 || taken + size <= free * OF_FREE;
  }

  took(address: string, size: number): void {
    const counter = this.#counterOf(address);
    this.#taken[counter] = (this.#taken[counter] ?? 0) + size;
  }

  #counterOf(address: string): number {
    return createHash('sha256').update(this.#salt).update(addressBlock(address)).digest().readUInt16BE(0);
  }
}
