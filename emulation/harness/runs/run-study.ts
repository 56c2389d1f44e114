import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { closeTogether } from '../../../system/close-together.ts';
import { asJson } from '../../../system/replace-files.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import { conduct } from './conduct.ts';
import {
  DEFAULT_SEED,
  runName,
  runPath,
  type StudyRequest,
  type Study,
  type Runner,
  type Plan,
  type PlannedRun,
  type Settings,
  type RunContext,
} from './study.ts';
import { requireFreeSpace } from '../../ground/files/free-space.ts';
import { lifeCycle, type StudyContext } from './life-cycle.ts';
import { checkAnySettings, hasManifest, readManifest, writeManifest, type Manifest } from './manifest.ts';
import { isVirtual } from '../../host/machine/is-virtual.ts';
import { inRounds } from './order.ts';
import { placeFor, type AskedPlace, type Place } from './place.ts';
import { provenance, resumedBy } from './provenance.ts';
import { durationLine } from './duration-line.ts';
import { hasFinishedRun } from './finished-run.ts';
import { selectShardRuns, shardName, resolveShard, type Shard } from './shard.ts';

export interface StudyRun {
  /** The requested parts of the place. The other parts come from the resumed folder, or from the study's default. */
  readonly place?: AskedPlace | undefined;
  readonly asked: StudyRequest;
  /** The seed of the runs' order and of the report's bootstrap; by default the seed of the resumed folder, or 1. */
  readonly seed?: number | undefined;
  readonly shard?: Shard | undefined;
  readonly outDir: string;
  readonly resume: boolean;
  /** The command as typed. */
  readonly command: string;
  /** Ends the study in the same way as Ctrl-C. */
  readonly signal?: AbortSignal | undefined;
  /** Set for a part of another study, which shows its own progress. */
  readonly isQuiet?: boolean;
}

/** The planned runs, and the manifest of a resumed folder. */
interface Job {
  readonly plan: Plan;
  readonly place: Place;
  readonly ordered: readonly PlannedRun[];
  readonly seed: number;
  readonly shard: Shard | undefined;
  readonly before: Manifest | undefined;
}

/** Makes the missing runs and a report of the finished ones, even if the study is ended early. */
export const runStudy = (study: Study, conducting: StudyRun): Promise<'complete' | 'cut off'> =>
  lifeCycle(
    conducting.outDir,
    async (life) => {
      const { outDir } = conducting;
      const job = await prepareJob(study, conducting);
      try {
        const { place, seed } = job;
        const { asked } = conducting;
        const { jobs = study.usualJobs?.(place) ?? 1 } = asked;
        const context = { asked, place, jobs, seed, outDir, print: life.print };
        await study.loadReport?.();
        const making = await prepareRunner(study, job.plan, context);
        try {
          await mkdir(outDir, { recursive: true });
          await requireFreeSpace(outDir);
          await removeUnfinishedRuns(outDir);
          const result = await makeRuns(study, job, making, { ...conducting, jobs }, life);
          if (result === 'complete' && !hasFinishedRun(outDir)) throw new Error(noRunMade(making));
          return result;
        } finally {
          await making.close();
        }
      } finally {
        if (hasManifest(outDir)) {
          await removeUnfinishedRuns(outDir);
          if (hasFinishedRun(outDir)) await study.report(outDir);
        }
      }
    },
    {
      ending: conducting.signal,
      hasFinished: () => hasFinishedRun(conducting.outDir),
      isQuiet: conducting.isQuiet,
    },
  );

const noRunMade = ({ skipped = {} }: Runner): string =>
  `no run could be made: ${[...new Set(Object.values(skipped))].join('; ') || 'this shard has none'}`;

/** After this many disturbed runs, the message suggests a virtual clock. */
const MANY_DISTURBED_RUNS = 3;
const VIRTUALLY = 'with --clock virtual nothing does: docs/lab/machine.md';

const prepareRunner = (
  study: Study,
  { settings }: Plan,
  context: Omit<RunContext, 'onClose'>,
): Promise<Runner & { close(): Promise<void> }> =>
  closeTogether((onClose) => study.make(settings, { ...context, onClose }));

async function makeRuns(
  { record }: Study,
  job: Job,
  making: Runner,
  { outDir, jobs, command, asked }: StudyRun & { readonly jobs: number },
  { signal, print }: StudyContext,
): Promise<'complete' | 'cut off'> {
  const { plan, place, before, ordered, seed, shard } = job;
  const madeBy = await provenance();
  const madeOf = { ...madeBy, versions: { ...madeBy.versions, ...making.versions } };
  const removed = [...(before?.removed ?? [])];
  const { skipped = {} } = making;
  for (const reason of new Set(Object.values(skipped))) print({ task: `Skipped: ${reason}`, lasting: true });
  const manifest: Omit<Manifest, 'removed'> = {
    ...(before
      ? resumedBy(withoutSkipped(before), madeOf)
      : { ...madeOf, command, seed, started: new Date().toISOString(), ended: null }),
    units: plan.units,
    place,
    experiment: plan.settings,
    plan: ordered.map(runName),
    ...(Object.keys(skipped).length > 0 && { skipped }),
    ...(shard && { shard }),
  };
  const write = (ended: string | null) => writeManifest(outDir, { ...manifest, ended, removed });
  write(null);
  const { name } = plan.settings;
  const runs = selectShardRuns(ordered, shard).filter(({ cell }) => skipped[cell] === undefined);
  const missing = runs.filter((run) => !existsSync(join(outDir, ...runPath(run), record)));
  if (place.clock === 'real')
    print({ task: `${name}: ${durationLine(plan, missing.length, jobs)}`, lasting: true });
  let refused = 0;
  const result = await conduct({
    runs,
    make: (run, folder, stop) => making.run(run, folder, stop),
    keptBusy: (folder, reason) => making.keptBusy?.(folder, reason),
    busyAttempts: asked['busy-attempts'],
    outDir,
    record,
    lanes: jobs,
    signal,
    onProgress({ done, of, made }) {
      print({
        task: `${name}${shard ? `, shard ${shardName(shard)}` : ''}: ${done} of ${of} runs`,
        ...(of > 0 && { fraction: done / of, doneBefore: (done - made) / of }),
      });
    },
    onRepeat(run) {
      removed.push(run);
      print({ task: `Again: ${runName(run)}: ${run.reason}`, lasting: true });
      refused += Number(!run.reason.startsWith('failed'));
      if (refused === MANY_DISTURBED_RUNS && !isVirtual())
        print({ task: `This machine disturbs the link; ${VIRTUALLY}`, lasting: true });
      write(null);
    },
  });
  write(result === 'complete' ? new Date().toISOString() : null);
  return result;
}

/** Returns the folder's path with the lowest number, from 2, under which there is nothing yet. */
function findFreeFolder(folder: string, number = 2): string {
  const path = `${folder}-${number}`;
  return existsSync(path) ? findFreeFolder(folder, number + 1) : path;
}

/** Removes the skipped cells from a manifest, because they may be possible now. */
function withoutSkipped({ skipped: _, ...manifest }: Manifest): Manifest {
  return manifest;
}

async function prepareJob(study: Study, conducting: StudyRun): Promise<Job> {
  const { asked, seed, shard, outDir, resume } = conducting;
  const before = resume ? readExistingManifest(outDir) : undefined;
  // Not an error, because a cluster starts and restarts its jobs with --resume.
  if (resume && !before) console.error(`${outDir} has no results yet, so nothing is resumed.`);
  if (before && before.experiment.name !== study.name)
    throw new Error(`${outDir} has results of ${before.experiment.name}; choose another --out`);
  if (before && seed !== undefined && seed !== before.seed)
    throw new Error(`${outDir} has results with --seed ${before.seed}; choose another --out`);
  const chosen = before?.seed ?? seed ?? DEFAULT_SEED;
  const place = placeFor(study, conducting.place ?? {}, before?.place);
  const plan = await study.plan({ ...asked, place, seed: chosen }, before?.experiment);
  // Checked after the options, so that invalid options are reported first.
  if (!resume && hasManifest(outDir))
    throw new Error(
      `${outDir} has results already; add --resume, or choose another --out, such as ${findFreeFolder(outDir)}`,
    );
  // Only the number of runs and the descriptions may differ; with other settings it would be another study.
  const comparable = (each: Settings): unknown =>
    JSON.parse(asJson({ ...each, runs: 0, about: '', figure: '' }));
  if (before && !isDeepStrictEqual(comparable(plan.settings), comparable(before.experiment)))
    throw new Error(`${outDir} has results with other settings; choose another --out`);
  if (before && plan.settings.runs < before.experiment.runs)
    throw new Error(`${outDir} has ${before.experiment.runs} runs of each cell; --resume can only add runs`);
  if (shard && plan.runs.some(({ stage = 0 }) => stage > 0))
    throw new Error(
      `--shard needs independent runs, but with these options some runs of ${study.name} wait for others`,
    );
  return {
    plan,
    place,
    before,
    ordered: inRounds(plan.runs, seededRandom(chosen)),
    seed: chosen,
    shard: resolveShard(outDir, shard, before),
  };
}

/** The manifest of the folder to be resumed; undefined if there is none yet. */
const readExistingManifest = (outDir: string): Manifest | undefined =>
  hasManifest(outDir) ? readManifest(outDir, checkAnySettings) : undefined;

async function removeUnfinishedRuns(outDir: string): Promise<void> {
  if (!existsSync(outDir)) return;
  for (const name of await readdir(outDir)) {
    if (name.startsWith('.run-')) await rm(join(outDir, name), { recursive: true, force: true });
  }
}
