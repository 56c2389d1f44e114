import { millisecondsToSeconds } from '../../../src/units.ts';
import type { ResponseEvent } from '../response-event.ts';

/** Bytes of complete bodies, and the seconds that their clients took for them. */
export interface Sent {
  readonly bytes: number;
  readonly seconds: number;
}

/** Bytes over seconds is the goodput of paced and of unpaced responses; one that broke off tells nothing of it. */
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
