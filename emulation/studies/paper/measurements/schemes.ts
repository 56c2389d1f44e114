import { bigBuckBunny } from '../../../../media/films/big-buck-bunny.ts';
import type { AbrAlgorithm } from '../../../../src/abr/abr.ts';
import { fugu, mpcHm, robustMpcHm, type QoeOptions } from '../../../../src/abr/index.ts';
import { mean } from '../../../ground/statistics/bootstrap.ts';
import { meanOrNull } from '../../../ground/statistics/percentiles.ts';
import { tInterval } from '../../../ground/statistics/t-interval.ts';
import { drawNetworks, type DrawnNetwork } from '../../../network/links/trace-files/drawn-network.ts';
import { scheduledRate } from '../../../network/virtual/rounds/rates.ts';
import type { Arm } from '../../../player/arms/arm.ts';
import { defaultModel } from '../../../player/arms/default-model.ts';
import { armNamed } from '../../../player/arms/index.ts';
import { filmFor } from '../../../player/model/player/film-for.ts';
import { simulateSession } from '../../../player/model/session.ts';
import type { Values } from '../claims/evidence.ts';
import type { Measurement } from '../measurement.ts';

/** The schemes of Puffer's trial, all without a pace. */
export const SCHEMES = {
  fugu: 'fugu-unpaced',
  mpcHm: 'mpc-hm-unpaced',
  robustMpcHm: 'robust-mpc-hm-unpaced',
  bba: 'bba-unpaced',
  pensieve: 'pensieve-bitrate',
} as const;

/** The thesis compares a segment's SSIM with the previous segment's, and has no guard against switches up (§2.3.4). */
const AS_IN_THESIS: QoeOptions = { variation: 'literal', steady: false };

/**
 * Variants that show the causes of SSIM's variation. The variants `Unguarded` also plan switches up that the network
 * cannot sustain.
 */
export const VARIANTS = {
  mpcHmUnguarded: 'mpc-hm-unguarded',
  robustMpcHmUnguarded: 'robust-mpc-hm-unguarded',
  fuguAsInThesis: 'fugu-as-in-thesis',
  mpcHmAsInThesis: 'mpc-hm-as-in-thesis',
  robustMpcHmAsInThesis: 'robust-mpc-hm-as-in-thesis',
} as const;

const VARIANT_ALGORITHMS: Readonly<Record<keyof typeof VARIANTS, AbrAlgorithm>> = {
  mpcHmUnguarded: mpcHm({ steady: false }),
  robustMpcHmUnguarded: robustMpcHm({ steady: false }),
  fuguAsInThesis: fugu({ model: defaultModel, variation: 'literal' }),
  mpcHmAsInThesis: mpcHm(AS_IN_THESIS),
  robustMpcHmAsInThesis: robustMpcHm(AS_IN_THESIS),
};

const VARIANT_ARMS = (Object.keys(VARIANTS) as (keyof typeof VARIANTS)[]).map((variant): Arm => ({
  name: VARIANTS[variant],
  about: 'a variant of an unpaced scheme',
  sammy: { abr: VARIANT_ALGORITHMS[variant], pacing: false },
}));

const SECONDS = 180;
const QUEUE_BYTES = 150_000;
/** The mean rate below which a path counts as "slow" (thesis §2.4). */
const SLOW_MBPS = 6;
/** A trial with an eighth of the sessions is evaluated, too. */
const SHORTER = 8;
/** The first seed of the networks, far from the seeds of the models' training networks. */
const FIRST_SEED = 5000;

interface Session {
  readonly mean_mbps: number;
  readonly played_s: number;
  readonly stalled_s: number;
  readonly metrics: Readonly<Record<Metric, number | null>>;
}

const METRICS = ['mean_ssim_db', 'ssim_variation_db', 'first_ssim_db', 'play_delay_ms'] as const;
type Metric = (typeof METRICS)[number];

const FILM = filmFor(bigBuckBunny, SECONDS);

/** Plays each of Puffer's five schemes, and the variants, on every network. */
export const schemes: Measurement = {
  name: 'schemes',
  about: `Puffer's five schemes, and variants of three of them, unpaced, each for ${SECONDS} s on the same networks, which are drawn by the seed: 24 in the quick form, 80 in the full one, of 0.25 to 30 Mbit/s typically, half of them with outages. Sessions begin without a memory. In virtual time, by the model of dash.js.`,
  cost_s: { quick: 9, full: 30 },
  seeds: { quick: 5, full: 10 },
  measure({ seed, quick }) {
    const networks = drawNetworks(quick ? 24 : 80, FIRST_SEED + seed);
    return Object.fromEntries(
      [...Object.values(SCHEMES).map(armNamed), ...VARIANT_ARMS].flatMap((arm) => {
        const sessions = networks.map((network) => play(arm, network, seed));
        return [
          [arm.name, computeValues(sessions)],
          [`${arm.name}, slow`, computeValues(sessions.filter(({ mean_mbps }) => mean_mbps < SLOW_MBPS))],
          [`${arm.name}, an eighth`, computeValues(sessions.slice(0, sessions.length / SHORTER))],
        ];
      }),
    );
  },
};

function play(arm: Arm, { periods }: DrawnNetwork, seed: number): Session {
  const steps = periods.map(([duration_ms, kbps]) => ({ seconds: duration_ms / 1000, mbps: kbps / 1000 }));
  const rtt_ms = periods[0]?.[2] ?? 0;
  const network = { capacity: scheduledRate(steps), rtt_ms, queue_bytes: QUEUE_BYTES };
  const { summary, decisions } = simulateSession({
    ...{ arm, film: FILM, network, seconds: SECONDS, seed },
  });
  const { played_s, rebuffer_ratio, mean_ssim_db, ssim_variation_db, play_delay_ms } = summary;
  const first_ssim_db = decisions.find(({ media_type }) => media_type === 'video')?.ssim_db ?? null;
  return {
    mean_mbps: mean(steps.map(({ mbps }) => mbps)),
    played_s,
    // The rebuffer ratio is the stalled share of the sum of stalled and played time.
    stalled_s: rebuffer_ratio < 1 ? (played_s * rebuffer_ratio) / (1 - rebuffer_ratio) : SECONDS,
    metrics: { mean_ssim_db, ssim_variation_db, first_ssim_db, play_delay_ms },
  };
}

/**
 * `stalled_pct` is a share of the time of all sessions together, as Puffer computes it. `ssim_interval_db` is the width
 * of the 95% interval of the sessions' mean SSIM.
 */
function computeValues(sessions: readonly Session[]): Values[string] {
  const total = (of: (session: Session) => number) => sessions.reduce((sum, session) => sum + of(session), 0);
  const ssims_db = sessions.flatMap(({ metrics }) => metrics.mean_ssim_db ?? []);
  const [least, most] = tInterval(ssims_db) ?? [NaN, NaN];
  return {
    stalled_pct:
      (100 * total(({ stalled_s }) => stalled_s)) / total((each) => each.stalled_s + each.played_s),
    ssim_interval_db: most - least,
    ...Object.fromEntries(
      METRICS.map((metric) => [metric, meanOrNull(sessions.flatMap(({ metrics }) => metrics[metric] ?? []))]),
    ),
  };
}
