import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureDefaultContent } from '../../media/footage.ts';
import { progressPrinter } from '../../system/progress.ts';
import { armNamed } from '../arms/index.ts';
import type { Experiment } from '../experiments/experiment.ts';
import { experimentNamed } from '../experiments/index.ts';
import { readManifest, type InvalidRun, type Manifest } from '../report/manifest.ts';
import { asJson, replaceFiles } from '../../system/replace-files.ts';
import { writeReport } from '../report/write-report.ts';
import { buildPage } from '../sessions/build-page.ts';
import { ensureLab } from '../setup/ensure-lab.ts';
import type { Link } from '../links/link.ts';
import { removeStaleLinks } from '../links/stale.ts';
import { checkLink } from '../links/check-link.ts';
import { conduct } from './conduct.ts';
import { requireFreeSpace } from './free-space.ts';
import { giveToOwner } from './give-to-owner.ts';
import { provenance, resumedBy } from './provenance.ts';

export interface Asked {
  readonly name: string;
  readonly arms: readonly string[] | undefined;
  readonly runs: number | undefined;
  readonly seconds: number | undefined;
  readonly switch: 'mahimahi' | 'p4' | undefined;
  /** Instead of the experiment's own. */
  readonly link: Partial<Link>;
  readonly seed: number;
  readonly lanes: number;
  readonly out: string | undefined;
  readonly resume: boolean;
  /** As it was typed. */
  readonly command: string;
}

/** `lab run`: makes the runs, and the report of what there is, also when it is cut off. */
export async function runExperiment(asked: Asked): Promise<void> {
  try {
    await run(asked);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new Error(`the disk is full; finished runs are kept, and with more room --resume goes on`, {
      cause: error,
    });
  }
}

async function run(asked: Asked): Promise<void> {
  const experiment = resolved(asked);
  if (process.getuid?.() !== 0) {
    throw new Error('the lab makes network namespaces and traces the kernel: run it as root, with sudo');
  }
  const outDir = resolve(asked.out ?? join('lab-results', experiment.name));
  const before = existingManifest(outDir, asked, experiment);

  const print = progressPrinter();
  const links = linksOf(experiment);
  await ensureLab(print, { traces: links.some(({ rate }) => rate.kind === 'trace') });
  for (const link of links) await checkLink(link);
  const made = await mkdir(outDir, { recursive: true });
  await requireFreeSpace(outDir);
  await sweep(outDir);
  await removeStaleLinks();
  const film = await ensureDefaultContent({ onProgress: print });
  const page = mkdtempSync(join(tmpdir(), 'dashjs-sammy-page-'));
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  const invalid: InvalidRun[] = [...(before?.invalid ?? [])];
  const madeBy = await provenance();
  const madeOf = { ...madeBy, versions: { ...madeBy.versions, film: film.title } };
  const manifest: Manifest = before
    ? resumedBy(before, madeOf)
    : {
        ...madeOf,
        command: asked.command,
        seed: asked.seed,
        started: new Date().toISOString(),
        ended: null,
        experiment,
        invalid,
      };
  const write = (ended: string | null) => writeManifest(outDir, { ...manifest, ended, invalid });
  try {
    await buildPage(page);
    write(null);
    const result = await conduct({
      experiment,
      seed: manifest.seed,
      outDir,
      page,
      film: film.directory,
      lanes: asked.lanes,
      signal: ending.signal,
      onProgress({ done, of, made }) {
        const remaining = of - (done - made);
        print({
          task: `${experiment.name}: ${done} of ${of} runs`,
          ...(remaining > 0 && { fraction: made / remaining }),
        });
      },
      onRepeat(run) {
        invalid.push(run);
        print({ task: `Again: ${run.arm} ${run.condition ?? ''} ${run.k}: ${run.reason}`, lasting: true });
        write(null);
      },
    });
    write(result === 'complete' ? new Date().toISOString() : null);
    if (result === 'cut off') {
      process.exitCode = 130;
      print({ task: 'Cut off; what is finished is kept, and --resume goes on', lasting: true });
    }
  } finally {
    print.end();
    for (const signal of SIGNALS) process.off(signal, end);
    rmSync(page, { recursive: true, force: true });
    await sweep(outDir);
    if (existsSync(join(outDir, 'runs'))) writeReport(outDir);
    giveToOwner(made ?? outDir);
  }
  console.log(`${outDir}/report.html`);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The experiment with what the command line says. Throws an Error that names an unknown arm. */
export function resolved({ name, arms, runs, seconds, switch: bottleneck, link, lanes }: Asked): Experiment {
  const experiment = experimentNamed(name);
  arms?.forEach(armNamed);
  if (lanes > 1 && experiment.conditions?.some(({ history }) => history)) {
    throw new Error(`experiment ${name} has runs that remember the one before: it needs --lanes 1`);
  }
  if (lanes > 1 && experiment.conditions?.some(({ burst_packets }) => burst_packets !== undefined)) {
    throw new Error(`experiment ${name} sets the burst, which is the machine's: it needs --lanes 1`);
  }
  if ((bottleneck ?? experiment.switch) === 'p4') {
    if (
      linksOf({ ...experiment, link: { ...experiment.link, ...link } }).some(
        ({ rate }) => rate.kind !== 'constant',
      )
    ) {
      throw new Error(
        `experiment ${name}: the P4 switch has a constant rate; use --switch mahimahi for others`,
      );
    }
  }
  if (Object.keys(link).length > 0 && experiment.conditions?.some((condition) => condition.link)) {
    throw new Error(`experiment ${name} has links of its own; --rate, --rtt and --queue are for the others`);
  }
  return {
    ...experiment,
    ...(arms && { arms: inOrder(arms, experiment.arms) }),
    ...(runs !== undefined && { runs }),
    ...(seconds !== undefined && { seconds }),
    ...(bottleneck !== undefined && { switch: bottleneck }),
    link: { ...experiment.link, ...link },
  };
}

const linksOf = ({ link, conditions }: Experiment): Link[] =>
  conditions?.map((condition) => condition.link ?? link) ?? [link];

/** The experiment's own order, whose first is the control; then what is new to it. */
const inOrder = (asked: readonly string[], own: readonly string[]): string[] => [
  ...own.filter((arm) => asked.includes(arm)),
  ...new Set(asked.filter((arm) => !own.includes(arm))),
];

/** Of the experiment that is to be resumed; undefined when there is none yet. */
function existingManifest(outDir: string, { resume }: Asked, experiment: Experiment): Manifest | undefined {
  if (!existsSync(join(outDir, 'manifest.json'))) return undefined;
  if (!resume) throw new Error(`${outDir} has results already; add --resume, or choose another --out`);
  const manifest = readManifest(outDir);
  // More runs may be asked for; anything else would be another experiment.
  const comparable = (each: Experiment) => JSON.stringify({ ...each, runs: 0 });
  if (comparable(JSON.parse(JSON.stringify(experiment)) as Experiment) !== comparable(manifest.experiment)) {
    throw new Error(`${outDir} has results of another experiment than this; choose another --out`);
  }
  return { ...manifest, experiment };
}

/** Half-made runs of a process that was killed. */
async function sweep(outDir: string): Promise<void> {
  for (const name of await readdir(outDir)) {
    if (name.startsWith('.run-')) await rm(join(outDir, name), { recursive: true, force: true });
  }
}

function writeManifest(outDir: string, manifest: Manifest): void {
  const units = 'in the names of the fields; t_s counts from the request for playback';
  replaceFiles(outDir, { 'manifest.json': asJson({ ...manifest, units }) });
}
