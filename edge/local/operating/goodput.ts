import { millisecondsToSeconds } from '../../../src/units.ts';
import type { ResponseEvent } from '../response-event.ts';

/** The bytes of complete bodies, and the seconds until their clients had received them. */
export interface Sent {
  readonly bytes: number;
  readonly seconds: number;
}

/** Sums for the goodput of paced and of unpaced responses: bytes over seconds, of complete responses only. */
export class Goodput {
  sent: { readonly paced: Sent; readonly unpaced: Sent } = {
    paced: { bytes: 0, seconds: 0 },
    unpaced: { bytes: 0, seconds: 0 },
  };

  note({ pace_kbps, bytes, duration_ms, complete }: ResponseEvent): void {
    if (!complete) return;
    const kind = pace_kbps === null ? 'unpaced' : 'paced';
    const before = this.sent[kind];
    const after = {
      bytes: before.bytes + bytes,
      seconds: before.seconds + millisecondsToSeconds(duration_ms),
    };
    this.sent = { ...this.sent, [kind]: after };
  }
}
