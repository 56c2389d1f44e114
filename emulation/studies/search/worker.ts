import { serveWork } from '../../../system/processes/serve-work.ts';
import { armNamed } from '../../player/arms/index.ts';
import { armFromTuned } from '../../player/arms/tuned.ts';
import { simulatedFilm } from '../../player/virtual-time/simulated-film.ts';
import { simulateSession } from '../../player/model/session.ts';
import { readCapacity } from '../../network/virtual/rounds/read-capacity.ts';
import { searchedSessions } from './course.ts';
import { toOutcome } from './outcome.ts';

serveWork(searchedSessions, async ({ film: directory, seconds, traces }) => {
  const film = await simulatedFilm({ directory }, seconds);
  const networks = await Promise.all(
    traces.map(async ({ link: { rate, rtt_ms, queue_bytes, loss } }) => ({
      capacity: await readCapacity(rate),
      rtt_ms,
      queue_bytes,
      loss,
    })),
  );
  return ({ arm, trace }) => {
    const network = networks[trace];
    if (!network) throw new Error(`there is no trace ${trace}`);
    const played = typeof arm === 'string' ? armNamed(arm) : armFromTuned(arm);
    return toOutcome(simulateSession({ arm: played, film, network, seconds }).summary);
  };
});
