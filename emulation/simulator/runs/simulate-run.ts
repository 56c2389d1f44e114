import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { armNamed } from '../../arms/index.ts';
import { armFromTuned } from '../../arms/tuned.ts';
import type { Link } from '../../links/link.ts';
import { idleRtt_ms } from '../../links/idle-rtt.ts';
import type { RunRecord } from '../../run-record.ts';
import type { RunOutcome } from '../../runs/experiment.ts';
import type { RunSpec } from '../../sessions/run-spec.ts';
import { writeCsv } from '../../sessions/csv.ts';
import { writeRun } from '../../sessions/write-run.ts';
import type { Capacity } from '../network/capacity.ts';
import { capacityOf } from '../capacity-of.ts';
import { playRecorded } from './play-recorded.ts';
import { simulatedFilm } from './simulated-film.ts';

/** When every simulated session is said to have begun, so that the same seed leaves the same bytes. */
const EPOCH = new Date(0).toISOString();

/** What a simulated run is told beside what the lab's are. */
export interface SimulatedSpec extends Omit<RunSpec, 'page'> {
  readonly seed: number;
  /** Its link is to be as mahimahi makes it, whose idle round trip is a little longer than asked for. */
  readonly asLab: boolean;
  /** What the paced requests would have taken without their paces is written beside the run, as `unpaced.csv`. */
  readonly forks?: boolean | undefined;
}

/** Makes runs, and keeps what they share: the film, and the links. */
export class RunSimulator {
  readonly #films = new Map<string, ReturnType<typeof simulatedFilm>>();
  readonly #capacities = new Map<string, Promise<Capacity>>();

  async make(spec: SimulatedSpec): Promise<RunOutcome> {
    const { arm: name, condition, k, seconds, link, sammy, folder } = spec;
    const arm = spec.tuned ? armFromTuned(spec.tuned) : armNamed(name);
    const film = await this.#film(spec);
    const capacity = await this.#capacity(link);
    const rtt_ms = spec.asLab ? idleRtt_ms(link.rtt_ms) : link.rtt_ms;
    const mbps = link.rate.kind === 'constant' ? link.rate.mbps : null;
    const calibration = {
      valid: true,
      rtt_ms,
      expected_rtt_ms: link.rtt_ms,
      rate_mbps: mbps,
      expected_rate_mbps: mbps,
    };
    const { congestionControl, buffer_s, history, seed, forks } = spec;
    const { played, recorder, metrics } = playRecorded({
      arm,
      sammy,
      film,
      link,
      capacity,
      rtt_ms,
      congestionControl,
      seconds,
      buffer_s,
      history,
      seed,
      forks,
      calibration,
    });
    const record: RunRecord = {
      arm: name,
      ...(condition !== undefined && { condition }),
      k,
      started: EPOCH,
      seconds,
      simulated: true,
      calibration,
      machine_busy_pct: 0,
      tcp_records_lost: 0,
      warnings: [],
      summary: played.summary,
      metrics,
    };
    await mkdir(folder, { recursive: true });
    if (forks) {
      const rows = played.unpaced.map(({ sequence, unpaced_ms }) => [sequence, unpaced_ms]);
      await writeCsv(join(folder, 'unpaced.csv'), ['sequence', 'unpaced_ms'], rows);
    }
    await writeRun(
      folder,
      record,
      { ...played, requestedAt_ms: 0, warnings: [], errors: [] },
      { link: recorder.rows, queue: undefined, tcp: recorder.tcp, neighbour: undefined },
    );
    return { kind: 'finished' };
  }

  #film({ film, seconds }: SimulatedSpec): ReturnType<typeof simulatedFilm> {
    const key = `${film} ${seconds}`;
    const made = this.#films.get(key) ?? simulatedFilm({ directory: film }, seconds);
    this.#films.set(key, made);
    return made;
  }

  #capacity({ rate }: Link): Promise<Capacity> {
    const key = JSON.stringify(rate);
    const made = this.#capacities.get(key) ?? capacityOf(rate);
    this.#capacities.set(key, made);
    return made;
  }
}
