import { lineOf } from '../../system/line-of.ts';
import { armFromTuned, type TunedArm } from '../arms/tuned.ts';
import { armNamed } from '../arms/index.ts';
import type { TracedLink } from '../links/trace-files/read-traces.ts';
import { capacityOf } from '../virtual/rounds/capacity-of.ts';
import { simulateSession } from '../simulator/session.ts';
import { simulatedFilm } from '../simulate/runs/simulated-film.ts';
import { outcomeOf, type Outcome } from './outcome.ts';

/** What all sessions of a search share; the first message to a worker. */
export interface Course {
  readonly film: string;
  readonly seconds: number;
  readonly traces: readonly TracedLink[];
}

/** An arm of the list, or a tuned one, on a trace of the course. */
export interface Task {
  readonly id: number;
  readonly arm: string | TunedArm;
  readonly trace: number;
}

export type Done = { readonly id: number } & ({ readonly outcome: Outcome } | { readonly error: string });

/** Loads what a course needs; the function then plays sessions of it. */
async function prepare({ film: directory, seconds, traces }: Course) {
  const film = await simulatedFilm({ directory }, seconds);
  const networks = await Promise.all(
    traces.map(async ({ link: { rate, rtt_ms, queue_bytes, loss } }) => ({
      capacity: await capacityOf(rate),
      rtt_ms,
      queue_bytes,
      loss,
    })),
  );
  return ({ arm, trace }: Task): Outcome => {
    const network = networks[trace];
    if (!network) throw new Error(`there is no trace ${trace}`);
    const played = typeof arm === 'string' ? armNamed(arm) : armFromTuned(arm);
    return outcomeOf(simulateSession({ arm: played, film, network, seconds }).summary);
  };
}

let prepared: ReturnType<typeof prepare> | undefined;

async function answer(message: Course | Task): Promise<void> {
  if ('traces' in message) {
    prepared = prepare(message);
    // Its failure is the answer to each task.
    prepared.catch(() => undefined);
    return;
  }
  const { id } = message;
  try {
    const play = await prepared;
    if (!play) throw new Error('a task before the course');
    process.send?.({ id, outcome: play(message) } satisfies Done);
  } catch (error) {
    process.send?.({ id, error: lineOf(error) } satisfies Done);
  }
}

process.on('message', (message) => void answer(message as Course | Task));
// Ctrl-C is ignored here, since the parent handles it.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
