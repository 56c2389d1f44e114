import { armNamed } from '../../emulation/player/arms/index.ts';
import type { Arm } from '../../emulation/player/arms/arm.ts';
import type { TracedLink } from '../../emulation/network/links/trace-files/read-traces.ts';
import { idleRtt_ms } from '../../emulation/network/links/idle-rtt.ts';
import { readCapacity } from '../../emulation/network/virtual/rounds/read-capacity.ts';
import { simulateSession } from '../../emulation/player/model/session.ts';
import type {
  SimulatedNetwork,
  SimulatedResult,
  SimulatedSession,
} from '../../emulation/player/model/simulated-session.ts';

export type Film = SimulatedSession['film'];

export const play = (
  arm: string | Arm,
  film: Film,
  network: SimulatedNetwork,
  seconds: number,
): SimulatedResult =>
  simulateSession({ arm: typeof arm === 'string' ? armNamed(arm) : arm, film, network, seconds });

/** Converts a recorded link to the simulator's form. */
export const traced = async ({ link }: TracedLink): Promise<SimulatedNetwork> => ({
  capacity: await readCapacity(link.rate),
  rtt_ms: link.rate.kind === 'trace' ? idleRtt_ms(link.rtt_ms) : link.rtt_ms,
  queue_bytes: link.queue_bytes,
});
