import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { closeTogether } from '../../system/close-together.ts';
import { seededRandom } from '../statistics/random.ts';
import { conduct } from './conduct.ts';
import {
  runName,
  type Asked,
  type Experiment,
  type Making,
  type Plan,
  type PlannedRun,
  type Settings,
  type Workshop,
} from './experiment.ts';
import { requireFreeSpace } from '../files/free-space.ts';
import { lifeCycle, type Life } from './life-cycle.ts';
import { checkAnySettings, hasManifest, readManifest, writeManifest, type Manifest } from './manifest.ts';
import { isVirtual } from '../machine/is-virtual.ts';
import { inRounds } from './order.ts';
import { provenance, resumedBy } from './provenance.ts';
import { runsOfShard, shardName, shardOf, type Shard } from './shard.ts';

export interface Conduct {
  readonly asked: Asked;
  /** The seed of the runs' order and of the report's bootstrap; when not given, the resumed folder's, or 1. */
  readonly seed?: number | undefined;
  readonly shard?: Shard | undefined;
  readonly outDir: string;
  readonly resume: boolean;
  /** The command as it was typed. */
  readonly command: string;
  /** Ends the experiment, as Ctrl-C does. */
  readonly signal?: AbortSignal | undefined;
}

/** The runs to make, and those that were made before. */
interface Job {
  readonly plan: Plan;
  readonly ordered: readonly PlannedRun[];
  readonly seed: number;
  readonly shard: Shard | undefined;
  readonly before: Manifest | undefined;
}

export const DEFAULT_SEED = 1;

/** Makes the missing runs, and a report of the finished ones, also when it is ended early. */
export const runExperiment = (experiment: Experiment, conducting: Conduct): Promise<'complete' | 'cut off'> =>
  lifeCycle(
    conducting.outDir,
    async (life) => {
      const { outDir } = conducting;
      const job = await jobOf(experiment, conducting);
      try {
        const making = await ready(experiment, job.plan, { outDir, print: life.print });
        try {
          await mkdir(outDir, { recursive: true });
          await requireFreeSpace(outDir);
          await sweep(outDir);
          return await makeRuns(job, making, conducting, life);
        } finally {
          await making.close();
        }
      } finally {
        if (hasManifest(outDir)) {
          await sweep(outDir);
          await experiment.report(outDir);
        }
      }
    },
    { ending: conducting.signal },
  );

/** So many runs that the link or the machine spoilt are no accident. */
const DISTURBED = 3;
const VIRTUALLY = 'with --machine virtual nothing does: docs/lab/machine.md';

const ready = (
  experiment: Experiment,
  { settings }: Plan,
  workshop: Omit<Workshop, 'onClose'>,
): Promise<Making & { close(): Promise<void> }> =>
  closeTogether((onClose) => experiment.make(settings, { ...workshop, onClose }));

async function makeRuns(
  job: Job,
  making: Making,
  { outDir, asked, command }: Conduct,
  { signal, print }: Life,
): Promise<'complete' | 'cut off'> {
  const { plan, before, ordered, seed, shard } = job;
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
    experiment: plan.settings,
    plan: ordered.map(runName),
    ...(Object.keys(skipped).length > 0 && { skipped }),
    ...(shard && { shard }),
  };
  const write = (ended: string | null) => writeManifest(outDir, { ...manifest, ended, removed });
  write(null);
  const { name } = plan.settings;
  let refused = 0;
  const result = await conduct({
    runs: runsOfShard(ordered, shard).filter(({ cell }) => skipped[cell] === undefined),
    make: (run, folder, stop) => making.run(run, folder, stop),
    outDir,
    record: plan.record,
    lanes: asked.lanes ?? 1,
    signal,
    onProgress({ done, of, made }) {
      const remaining = of - (done - made);
      print({
        task: `${name}${shard ? `, shard ${shardName(shard)}` : ''}: ${done} of ${of} runs`,
        ...(remaining > 0 && { fraction: made / remaining }),
      });
    },
    onRepeat(run) {
      removed.push(run);
      print({ task: `Again: ${runName(run)}: ${run.reason}`, lasting: true });
      refused += Number(!run.reason.startsWith('failed'));
      if (refused === DISTURBED && !isVirtual())
        print({ task: `This machine disturbs the link; ${VIRTUALLY}`, lasting: true });
      write(null);
    },
  });
  write(result === 'complete' ? new Date().toISOString() : null);
  return result;
}

/** What was skipped before may be possible now. */
function withoutSkipped({ skipped: _, ...manifest }: Manifest): Manifest {
  return manifest;
}

async function jobOf(experiment: Experiment, { asked, seed, shard, outDir, resume }: Conduct): Promise<Job> {
  const before = existing(outDir, resume);
  if (before && before.experiment.name !== experiment.name)
    throw new Error(`${outDir} has results of ${before.experiment.name}; choose another --out`);
  const plan = await experiment.plan(asked, before?.experiment);
  // Only the number of runs may differ; with other settings it would be another experiment.
  const comparable = (each: Settings) => JSON.stringify({ ...each, runs: 0 });
  if (before && comparable(plan.settings) !== comparable(before.experiment))
    throw new Error(`${outDir} has results of another experiment than this; choose another --out`);
  if (before && plan.settings.runs < before.experiment.runs)
    throw new Error(
      `${outDir} was asked for ${before.experiment.runs} runs of each cell; --resume can ask for more only`,
    );
  if (before && seed !== undefined && seed !== before.seed)
    throw new Error(`${outDir} has results with --seed ${before.seed}; choose another --out`);
  const chosen = before?.seed ?? seed ?? DEFAULT_SEED;
  return {
    plan,
    before,
    ordered: inRounds(plan.runs, seededRandom(chosen)),
    seed: chosen,
    shard: shardOf(outDir, shard, before),
  };
}

/** The manifest of the folder to be resumed; undefined when there is none yet. */
function existing(outDir: string, resume: boolean): Manifest | undefined {
  if (!hasManifest(outDir)) return undefined;
  if (!resume) throw new Error(`${outDir} has results already; add --resume, or choose another --out`);
  return readManifest(outDir, checkAnySettings);
}

/** Removes unfinished runs of a process that was killed. */
async function sweep(outDir: string): Promise<void> {
  if (!existsSync(outDir)) return;
  for (const name of await readdir(outDir)) {
    if (name.startsWith('.run-')) await rm(join(outDir, name), { recursive: true, force: true });
  }
}
