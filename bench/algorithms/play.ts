import { armNamed } from '../../emulation/player/arms/index.ts';
import type { Arm } from '../../emulation/player/arms/arm.ts';
import type { TracedLink } from '../../emulation/network/links/trace-files/read-traces.ts';
import { idleRtt_ms } from '../../emulation/network/links/idle-rtt.ts';
import { seededRandom } from '../../emulation/ground/statistics/random.ts';
import { readCapacity } from '../../emulation/network/virtual/rounds/capacity-of.ts';
import { constantRate, scheduledRate } from '../../emulation/network/virtual/rounds/rates.ts';
import { simulateSession } from '../../emulation/player/model/session.ts';
import type {
  SimulatedNetwork,
  SimulatedResult,
  SimulatedSession,
} from '../../emulation/player/model/simulated-session.ts';

export type Film = SimulatedSession['film'];

const QUEUE_BYTES = 150_000;

export const play = (
  arm: string | Arm,
  film: Film,
  network: SimulatedNetwork,
  seconds: number,
): SimulatedResult =>
  simulateSession({ arm: typeof arm === 'string' ? armNamed(arm) : arm, film, network, seconds });

export const constant = (mbps: number, rtt_ms = 40): SimulatedNetwork => ({
  capacity: constantRate(mbps),
  rtt_ms,
  queue_bytes: QUEUE_BYTES,
});

/** Networks of 1 to 40 Mbit/s in the mean, which go up and down by 30% every 1 to 4 s. */
export function varying(count: number, seed: number): SimulatedNetwork[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const mbps = 40 ** random();
    const steps = Array.from({ length: 40 }, () => ({
      seconds: 1 + 3 * random(),
      mbps: mbps * (0.7 + 0.6 * random()),
    }));
    return { capacity: scheduledRate(steps), rtt_ms: 40, queue_bytes: QUEUE_BYTES };
  });
}

/** A recorded link in the simulator's form. */
export const traced = async ({ link }: TracedLink): Promise<SimulatedNetwork> => ({
  capacity: await readCapacity(link.rate),
  rtt_ms: link.rate.kind === 'trace' ? idleRtt_ms(link.rtt_ms) : link.rtt_ms,
  queue_bytes: link.queue_bytes,
});

export const meanOrNaN = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export const meanSsim = ({ summary }: SimulatedResult): number => summary.mean_ssim_db ?? NaN;
