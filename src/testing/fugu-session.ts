/**
 * The set-up of Fugu's tests: a receipt, a model whose predictions depend on the receipt, a state, and a session. It
 * tests nothing itself.
 */
import type { AbrState } from '../abr/abr.ts';
import { topRung } from '../film/ladder.ts';
import { ABR_OPTIONS, createAbrState } from './abr-state.ts';
import { createDownload } from './download.ts';
import { certain, ttpFile } from './ttp-file.ts';
import { kbps, milliseconds, seconds } from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';
import { fugu, type FuguOptions } from '../abr/fugu/fugu.ts';

/** A receipt with all TCP statistics. */
export const RECEIPT: Receipt = {
  cwnd_packets: 20,
  rtt_ms: milliseconds(50),
  min_rtt_ms: milliseconds(40),
  tcp_state: 'in_flight_packets=0,delivery_kbps=5000,app_limited=0',
};

/** A model that predicts half a second for every segment with TCP statistics, and 5 s without. */
export const byVariant = ttpFile({ shares: (variant) => certain(variant === 'tcp' ? 1 : 10) });

export function createFuguState(given: Partial<AbrState> = {}): AbrState {
  const state = createAbrState({
    buffer: seconds(10),
    nextSegmentAt: seconds(20),
    segmentDuration: seconds(2),
    throughput: kbps(2000),
    receipt: RECEIPT,
  });
  const previous = topRung(state.ladder);
  return { ...state, previous, downloads: [createDownload(state, previous, kbps(2000))], ...given };
}

export const sessionWith = (options: FuguOptions) => fugu(options).session(ABR_OPTIONS);
