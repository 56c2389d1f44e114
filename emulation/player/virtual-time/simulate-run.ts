import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { wholeSegments } from '../../../media/loop-sidecar.ts';
import type { QualitySidecar } from '../../../media/sidecar.ts';
import { armNamed } from '../arms/index.ts';
import { armFromTuned } from '../arms/tuned.ts';
import type { Link } from '../../network/links/link.ts';
import type { RunRecord } from '../records/run-record.ts';
import type { RunOutcome } from '../../harness/runs/study.ts';
import { writeCsv } from '../../ground/files/csv.ts';
import { writeRun } from '../real-time/write-run.ts';
import type { Capacity } from '../../network/virtual/rounds/capacity.ts';
import type { Film } from '../model/player/film.ts';
import { filmFor } from '../model/player/film-for.ts';
import { readCapacity } from '../../network/virtual/rounds/read-capacity.ts';
import { playPage } from '../page/in-process/play-page.ts';
import type { PlaySession } from './play-recorded.ts';
import { playSpec } from './play-spec.ts';
import { firstSegment, secondsBefore } from './film-place.ts';
import { readSidecarFile } from './simulated-film.ts';
import type { SimulatedSpec } from './simulated-spec.ts';

/** The recorded start of every simulated session, constant so that the same seed gives the same bytes. */
const EPOCH = new Date(0).toISOString();

/** Makes runs, and caches their shared videos and links. */
export class RunSimulator {
  readonly #documents = new Map<string, ReturnType<typeof readSidecarFile>>();
  readonly #films = new Map<string, Film>();
  readonly #capacities = new Map<string, Promise<Capacity>>();

  async make(spec: SimulatedSpec): Promise<RunOutcome> {
    const { arm: name, condition, k, seconds, link, folder, forks } = spec;
    const arm = spec.tuned ? armFromTuned(spec.tuned) : armNamed(name);
    const document = await this.#document(spec.film);
    const first = firstSegment(k, wholeSegments(document), spec.placeSeed);
    const film = this.#film(document, spec, first);
    const capacity = await this.#capacity(link);
    const { calibration, played, recorder, metrics } = playSpec(
      spec,
      arm,
      film,
      capacity,
      choosePlayer(spec),
    );
    const record: RunRecord = {
      arm: name,
      ...(condition !== undefined && { condition }),
      k,
      started: EPOCH,
      seconds,
      simulated: true,
      ...(spec.viewers === 'page' && { viewers: spec.viewers }),
      ...(first > 0 && { film_from_s: secondsBefore(document, first) }),
      calibration,
      machine_busy_pct: 0,
      tcp_records_lost: 0,
      ...(played.player_error !== undefined && { player_error: played.player_error }),
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
      { link: recorder.rows, queue: undefined, tcp: recorder.tcp, neighbor: played.neighbor?.csv },
    );
    return { kind: 'finished' };
  }

  #document(directory: string): ReturnType<typeof readSidecarFile> {
    const read = this.#documents.get(directory) ?? readSidecarFile({ directory });
    this.#documents.set(directory, read);
    return read;
  }

  #film(document: QualitySidecar, { film, seconds }: SimulatedSpec, first: number): Film {
    const key = `${film} ${seconds} ${first}`;
    const made = this.#films.get(key) ?? filmFor(document, seconds, first);
    this.#films.set(key, made);
    return made;
  }

  #capacity({ rate }: Link): Promise<Capacity> {
    const key = JSON.stringify(rate);
    const made = this.#capacities.get(key) ?? readCapacity(rate);
    this.#capacities.set(key, made);
    return made;
  }
}

/** Returns dash.js itself if it is requested; otherwise undefined, for the model. */
const choosePlayer = ({ viewers, arm, tuned, sammy }: SimulatedSpec): PlaySession | undefined =>
  viewers === 'page' ? (session) => playPage({ ...session, arm, tuned, sammy }) : undefined;
