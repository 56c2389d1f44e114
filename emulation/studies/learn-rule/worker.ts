import { wholeSegments } from '../../../media/loop-sidecar.ts';
import { RUNG_INPUTS } from '../../../src/abr/pensieve/policy-inputs.ts';
import { readPolicy } from '../../../src/abr/pensieve/policy.ts';
import { serveWork } from '../../../system/processes/serve-work.ts';
import { seededRandom, type Random } from '../../ground/statistics/random.ts';
import { shiftLink } from '../../network/links/trace-files/link-from.ts';
import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';
import { readCapacity } from '../../network/virtual/rounds/read-capacity.ts';
import { readSidecarFile } from '../../player/virtual-time/simulated-film.ts';
import { filmFor } from '../../player/model/player/film-for.ts';
import type { Film } from '../../player/model/player/film.ts';
import { learningSessions } from './course.ts';
import { playEpisode, type RewardedStep } from './episode.ts';

serveWork(learningSessions, async ({ film: directory, seconds, paced, traces }) => {
  const document = await readSidecarFile({ directory });
  const films = new Map<number, Film>();
  const filmFrom = (first: number): Film => {
    const film = films.get(first) ?? filmFor(document, seconds, first);
    films.set(first, film);
    return film;
  };
  return async ({ policy: file, seeds }) => {
    const policy = readPolicy(Buffer.from(file, 'base64'));
    const played: string[] = [];
    for (const seed of seeds) {
      const random = seededRandom(seed);
      const network = await networkAt(traces, random);
      const film = filmFrom(Math.floor(random() * wholeSegments(document)));
      played.push(encodeSteps(playEpisode(policy, { film, seconds, network }, paced, random)));
    }
    return played;
  };
});

/** Draws a trace, and a random position in it. */
async function networkAt(traces: readonly TracedLink[], random: Random) {
  const trace = traces[Math.floor(random() * traces.length)];
  if (!trace) throw new Error('there are no traces to learn from');
  const { rate, rtt_ms, queue_bytes, loss } = shiftLink(trace.link, Math.floor(random() * trace.duration_ms));
  return { capacity: await readCapacity(rate), rtt_ms, queue_bytes, loss };
}

function encodeSteps(steps: readonly RewardedStep[]): string {
  const rungs = (steps[0]?.inputs.rungs.length ?? 0) / RUNG_INPUTS;
  const numbers = steps.flatMap(({ inputs: { shared, rungs }, action, log_probability, reward }) => [
    ...shared,
    ...rungs,
    action,
    log_probability,
    reward,
  ]);
  return Buffer.from(Float32Array.from([rungs, ...numbers]).buffer).toString('base64');
}
