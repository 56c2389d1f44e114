import type { Arm } from '../../../../../emulation/player/arms/arm.ts';
import type { Measured } from '../../../../../emulation/player/records/metrics.ts';
import { filmFor } from '../../../../../emulation/player/model/player/film-for.ts';
import { constantRate } from '../../../../../emulation/network/virtual/rounds/rates.ts';
import { playSpec } from '../../../../../emulation/player/virtual-time/play-spec.ts';
import { bigBuckBunny } from '../../../../../media/films/big-buck-bunny.ts';
import { ARMS, queueBytes, SECONDS, type LinkSetup } from './link-setup.ts';
import { makeSeries, type Series } from './series.ts';

/** A session next to the neighbor: the lab's metrics and the series to draw. */
export interface Session {
  readonly arm: string;
  readonly metrics: Measured;
  readonly series: Series;
}

/** The seed of the lab's run: the command's seed plus the number of its only run. */
const SEED = 1 + 1;
const film = filmFor(bigBuckBunny, SECONDS);

/** Simulates every arm like the first run of `lab run --link virtual`. Nothing is precomputed. */
export function* playAll(asked: LinkSetup): Generator<Session> {
  for (const arm of ARMS) yield play(asked, arm);
}

export function play(asked: LinkSetup, arm: Arm): Session {
  const { mbps, rtt_ms, buffer_s, neighbor } = asked;
  const link = { rate: { kind: 'constant', mbps }, rtt_ms, queue_bytes: queueBytes(asked) } as const;
  const { played, recorder, metrics } = playSpec(
    {
      ...{ link, asLab: true, seconds: SECONDS, buffer_s, neighbor, seed: SEED },
      ...{ congestionControl: 'reno', sammy: {} },
    },
    arm,
    film,
    constantRate(mbps),
  );
  return { arm: arm.name, metrics, series: makeSeries(played, recorder.rows, asked.neighbor) };
}
