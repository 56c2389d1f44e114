import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorLine } from '../../../system/error-line.ts';
import { asJson } from '../../../system/replace-files.ts';
import type { Arm } from '../../player/arms/arm.ts';
import type { ExportedSession } from '../export/exported-session.ts';
import { toExportedSession } from './to-exported-session.ts';
import { writeTables } from '../export/write-tables.ts';
import { readCapacity } from '../../network/virtual/rounds/read-capacity.ts';
import { simulatedFilm } from '../../player/virtual-time/simulated-film.ts';
import { simulateSession } from '../../player/model/session.ts';
import type { DrawnSession } from './draw-sessions.ts';
import { RECORD, type TrialSetup, type PartTask } from './part.ts';
import { trialArm } from './trial-arms.ts';

/**
 * Returns a function that plays the sessions of a part in virtual time. It writes the part's tables, and then its
 * record. Throws an Error of one line for a video or a trace that cannot be read.
 */
export async function partWriter({ film: directory, channel, longest_s, networks }: TrialSetup) {
  const film = await simulatedFilm({ directory }, longest_s);
  const capacities = await Promise.all(networks.map(({ link }) => readCapacity(link.rate)));
  /** Returns the session for the tables, without its arm's name. */
  const play = (session: DrawnSession, arm: Arm, named: Pick<ExportedSession, 'arm' | 'expt_id'>) => {
    const { id, network, offset_ms, watch_s: seconds } = session;
    const traced = networks[network];
    const capacity = capacities[network]?.shiftedTo(offset_ms);
    if (!traced || !capacity) throw new Error(`there is no network ${network}`);
    const { rtt_ms, queue_bytes, loss } = traced.link;
    try {
      const played = simulateSession({
        ...{ arm, film, seconds, network: { capacity, rtt_ms, queue_bytes, loss } },
      });
      return toExportedSession(played, session, { ...named, channel, condition: traced.name });
    } catch (error) {
      throw new Error(`session ${id} on ${traced.name}: ${errorLine(error)}`, { cause: error });
    }
  };
  return ({ folder, arms, sessions }: PartTask): undefined => {
    const playedBy = new Map(
      arms.map((each) => [each.code, { ...each, played: trialArm(each.arm, each.model, each.explored_pct) }]),
    );
    writeTables(
      folder,
      (function* () {
        for (const { code, ...session } of sessions) {
          const of = playedBy.get(code);
          if (!of) throw new Error(`there is no arm ${code}`);
          yield play(session, of.played, { arm: code, expt_id: of.expt_id });
        }
      })(),
    );
    writeFileSync(join(folder, RECORD), asJson({ sessions: sessions.length }));
  };
}
