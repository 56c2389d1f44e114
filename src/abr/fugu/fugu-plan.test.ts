import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CompletedDecision } from '../../decision.ts';
import { sizesFromLists } from '../../testing/sizes-from-lists.ts';
import { ABR_OPTIONS, createAbrState } from '../../testing/abr-state.ts';
import { createDownload } from '../../testing/download.ts';
import { createLadder } from '../../testing/session.ts';
import { bytes, kbps, milliseconds, seconds } from '../../units.ts';
import type { Receipt } from '../../wire/receipt.ts';
import { printTcpState } from '../../wire/tcp-state.ts';
import type { AbrState } from '../abr.ts';
import { fugu } from './fugu.ts';
import { HISTORY, PLAIN_INPUTS } from './ttp-model.ts';

/**
 * The trainer's choice with the package's model, written by `npm run learn -- ttp --check`
 * (`sammy_analysis.ttp.check`).
 */
interface TrainersChoice {
  readonly row: number;
  readonly knows_tcp: boolean;
  readonly buffer_s: number;
  readonly previous: number;
  readonly weights: readonly number[];
  readonly rung: number;
  readonly pace_kbps: number | null;
}

const model = readFileSync(new URL('../../../models/fugu-ttp.bin', import.meta.url));
const { rows, choices } = JSON.parse(
  gunzipSync(readFileSync(new URL('testing/check.json.gz', import.meta.url))).toString(),
) as {
  readonly rows: readonly { readonly inputs: readonly (number | null)[] }[];
  readonly choices: readonly TrainersChoice[];
};

const BITRATES_KBPS = [300, 700, 1300, 2100, 3300];
const SEGMENT_S = 2;

/** The test takes a second, or more on a busy machine. */
const TIMEOUT_MS = 120_000;
const ladder = createLadder(BITRATES_KBPS);

/**
 * The content received so far, s. Half of it (`reserve_share`) exceeds the buffer target of 18 s, so the reserve at a
 * plan's end is 18 s.
 */
const ARRIVED_S = 100;

/** Segments from time 0, whose sizes and quality depend on the weights. */
const createSizes = (weights: readonly number[]) =>
  sizesFromLists(
    weights.map(() => seconds(SEGMENT_S)),
    new Map(
      BITRATES_KBPS.map((rate) => [
        `${rate}`,
        weights.map((weight) => bytes(Math.round(rate * 125 * SEGMENT_S * weight))),
      ]),
    ),
    (id) => weights.map((weight) => 12 + 4 * Math.log(Number(id) / 300) - 3 * Math.log(weight)),
  );

/** Converts a row's inputs to past downloads, the oldest first. */
function createDownloads(state: AbrState, inputs: readonly (number | null)[]): CompletedDecision[] {
  const past = Array.from({ length: HISTORY }, (_, back) => {
    const [size, took_ms, share] = [0, 1, 2].map((part) => inputs[part * HISTORY + back] ?? NaN);
    return { size: size ?? NaN, took_ms: took_ms ?? NaN, share: share ?? NaN };
  });
  return past
    .filter(({ size }) => !Number.isNaN(size))
    .toReversed()
    .map(({ size, took_ms, share }) =>
      createDownload(state, ladder[0], kbps(1000), {
        size_bytes: bytes(size),
        download_ms: milliseconds(took_ms),
        applied_kbps: share > 0 ? kbps((size * 8) / took_ms / share) : null,
      }),
    );
}

function createReceipt(inputs: readonly (number | null)[]): Receipt {
  const [cwnd = 0, in_flight = 0, min_rtt_us = 0, rtt_us = 0, delivery = 0] = inputs
    .slice(PLAIN_INPUTS - 1)
    .map((value) => value ?? NaN);
  return {
    cwnd_packets: cwnd,
    min_rtt_ms: milliseconds(min_rtt_us / 1000),
    rtt_ms: milliseconds(rtt_us / 1000),
    tcp_state: printTcpState({ in_flight_packets: in_flight, delivery_kbps: kbps(delivery / 125) }),
  };
}

function createState({ row, knows_tcp, buffer_s, previous, weights }: TrainersChoice): AbrState {
  const inputs = rows[row]?.inputs ?? [];
  const state = createAbrState({
    ladder,
    buffer: seconds(buffer_s),
    previous: ladder[previous],
    segmentDuration: seconds(SEGMENT_S),
    sizes: createSizes(weights),
    receipt: knows_tcp ? createReceipt(inputs) : undefined,
  });
  return { ...state, downloads: createDownloads(state, inputs) };
}

/** Returns the rows for which the rung or pace differs from the trainer's. */
function disagreements() {
  const session = fugu({ model }).session(ABR_OPTIONS);
  const [first] = choices;
  if (!first) throw new Error('no choices');
  const arrived = {
    ...createDownload(createState(first), ladder[0], kbps(1000)),
    segment_duration_s: ARRIVED_S,
  };
  session.observe?.({ type: 'download', download: arrived });
  return choices.flatMap((theirs, number) => {
    const state = createState(theirs);
    const { rung, reason } = session.choose(state);
    const pace = session.requiredThroughput(state, rung);
    const ours = {
      rung: state.ladder.indexOf(rung),
      knows_tcp: !reason.endsWith(' without TCP'),
      pace_kbps: pace === Infinity ? null : pace,
    };
    const { knows_tcp, pace_kbps } = theirs;
    const isSame = ours.rung === theirs.rung && ours.knows_tcp === knows_tcp && ours.pace_kbps === pace_kbps;
    return isSame ? [] : [{ number, ours, theirs }];
  });
}

describe('FuguPlan', () => {
  it(
    'chooses the same rungs and paces as the trainer in 1000 recorded states',
    () => {
      expect(choices).toHaveLength(1000);
      expect(choices.filter(({ pace_kbps }) => pace_kbps !== null).length).toBeGreaterThan(300);
      expect(disagreements()).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
