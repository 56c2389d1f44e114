import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineOf } from '../../../system/line-of.ts';
import { asJson } from '../../../system/replace-files.ts';
import type { Arm } from '../../player/arms/arm.ts';
import type { ExportedSession } from '../export/exported-session.ts';
import { exportedOf } from './exported-of.ts';
import { writeTables } from '../export/write-tables.ts';
import type { Capacity } from '../../network/virtual/rounds/capacity.ts';
import type { Film } from '../../player/simulator/player/film.ts';
import { capacityOf } from '../../network/virtual/rounds/capacity-of.ts';
import { simulatedFilm } from '../../player/simulated/simulated-film.ts';
import { simulateSession } from '../../player/simulator/session.ts';
import type { DrawnSession } from './draw-sessions.ts';
import { RECORD, type Course, type PartTask } from './part.ts';
import { trialArm } from './trial-arms.ts';

/** Plays sessions in virtual time. */
export class TrialPlayer {
  readonly #course: Course;
  readonly #film: Film;
  readonly #capacities: readonly Capacity[];

  private constructor(course: Course, film: Film, capacities: readonly Capacity[]) {
    this.#course = course;
    this.#film = film;
    this.#capacities = capacities;
  }

  /** Throws an Error of one line for a film or a trace that cannot be read. */
  static async of(course: Course): Promise<TrialPlayer> {
    const film = await simulatedFilm({ directory: course.film }, course.longest_s);
    return new TrialPlayer(
      course,
      film,
      await Promise.all(course.networks.map(({ link }) => capacityOf(link.rate))),
    );
  }

  /** Writes the tables of a part, and its record last. */
  write({ folder, arms, sessions }: PartTask): void {
    const coded = arms.map((each) => ({
      ...each,
      played: trialArm(each.arm, each.model, each.explored_pct),
    }));
    const play = ({ code, ...session }: PartTask['sessions'][number]): ExportedSession => {
      const of = coded.find((each) => each.code === code);
      if (!of) throw new Error(`there is no arm ${code}`);
      return this.#play(session, of.played, { arm: code, expt_id: of.expt_id });
    };
    writeTables(
      folder,
      (function* () {
        for (const session of sessions) yield play(session);
      })(),
    );
    writeFileSync(join(folder, RECORD), asJson({ sessions: sessions.length }));
  }

  /** The session as its tables have it, without the name of its arm. */
  #play(session: DrawnSession, arm: Arm, named: Pick<ExportedSession, 'arm' | 'expt_id'>): ExportedSession {
    const { id, network, offset_ms, watch_s } = session;
    const traced = this.#course.networks[network];
    const capacity = this.#capacities[network]?.from(offset_ms);
    if (!traced || !capacity) throw new Error(`there is no network ${network}`);
    const { rtt_ms, queue_bytes, loss } = traced.link;
    try {
      const played = simulateSession({
        arm,
        film: this.#film,
        network: { capacity, rtt_ms, queue_bytes, loss },
        seconds: watch_s,
      });
      return exportedOf(played, session, { ...named, channel: this.#course.channel, condition: traced.name });
    } catch (error) {
      throw new Error(`session ${id} on ${traced.name}: ${lineOf(error)}`, { cause: error });
    }
  }
}
