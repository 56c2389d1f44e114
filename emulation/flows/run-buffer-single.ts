import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { progressPrinter } from '../../system/progress.ts';
import { liveLack } from '../../p4/switch/live/live-lack.ts';
import { provenance, resumedBy } from '../runs/provenance.ts';
import { asJson, replaceFiles } from '../../system/replace-files.ts';
import { firstServed } from '../programs/first-served.ts';
import { writeCsv } from '../sessions/csv.ts';
import { removeStaleLinks } from '../links/stale.ts';
import { BASE_RTT_MS, BDP_PACKETS, RATE_BIT_S, cellName, cells, type Cell } from './cells.ts';
import { flowResult, type Flow } from './flow-result.ts';
import { giveToOwner } from '../runs/give-to-owner.ts';
import { readBufferManifest, type BufferManifest } from './manifest.ts';
import { measureFlow } from './measure-flow.ts';
import { writeBufferReport } from './write-buffer-report.ts';

/** For `lab list`. */
export const about =
  'one long flow of reno, cubic, bbr through buffers of 0.05 to 2 BDP of the P4 switch (Updating the Theory of Buffer Sizing, Figures 1 to 3)';

export interface BufferSingle {
  readonly out: string;
  /** Of each cell. */
  readonly runs?: number | undefined;
  /** Of each flow. */
  readonly seconds?: number | undefined;
  readonly resume: boolean;
  /** As it was typed. */
  readonly command: string;
  /** Ends it, as Ctrl-C does. */
  readonly signal?: AbortSignal;
  /** Only these; all unless said. */
  readonly only?: readonly Cell[];
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A flow of which a postcard was lost is measured again; after so many attempts it never will be whole. */
const ATTEMPTS = 3;

/** Measures what is not there yet, and writes the report of what there is, also when it is cut off. */
export async function runBufferSingle(asked: BufferSingle): Promise<void> {
  const { runs = 1, seconds = 30, command, resume, only = cells } = asked;
  const lack = liveLack();
  if (lack !== undefined)
    throw new Error(`the live switch cannot run here: ${lack}; run it as root on Linux`);
  const outDir = resolve(asked.out);
  const before = existingManifest(outDir, resume, seconds);
  const made = await mkdir(outDir, { recursive: true });
  await mkdir(join(outDir, 'runs'), { recursive: true });
  await sweep(outDir);
  await removeStaleLinks();

  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  // A sender that waits for a processor is a link that rests.
  firstServed();
  const signal = asked.signal ? AbortSignal.any([asked.signal, ending.signal]) : ending.signal;
  const print = progressPrinter();
  const madeBy = await provenance();
  const manifest: BufferManifest = before
    ? resumedBy(before, madeBy)
    : {
        experiment: 'buffer-single',
        ...madeBy,
        units: "in the names of the fields; t_s counts from the flow's first data packet",
        command,
        started: new Date().toISOString(),
        ended: null,
        seconds,
        runs,
        rate_bit_s: RATE_BIT_S,
        base_rtt_ms: BASE_RTT_MS,
        bdp_packets: BDP_PACKETS,
      };
  const write = (ended: string | null) =>
    replaceFiles(outDir, { 'manifest.json': asJson({ ...manifest, runs, ended }) });
  const planned = Array.from({ length: runs }, (_, index) =>
    only.map((cell) => ({ cell, k: index + 1 })),
  ).flat();
  const folderOf = ({ cell, k }: { cell: Cell; k: number }) =>
    join(outDir, 'runs', cellName(cell), String(k));
  const missing = planned.filter((run) => !existsSync(folderOf(run)));
  try {
    write(null);
    for (const [index, run] of missing.entries()) {
      if (signal.aborted) break;
      const task = `buffer-single: ${planned.length - missing.length + index} of ${planned.length} flows`;
      print({ task, fraction: index / missing.length });
      await measureInto(folderOf(run), run.cell, run.k, seconds, outDir, signal);
    }
    const complete = planned.every((run) => existsSync(folderOf(run)));
    write(complete ? new Date().toISOString() : null);
    if (!complete) {
      process.exitCode = 130;
      print({ task: 'Cut off; what is finished is kept, and --resume goes on', lasting: true });
    }
  } finally {
    print.end();
    for (const name of SIGNALS) process.off(name, end);
    await sweep(outDir);
    writeBufferReport(outDir);
    giveToOwner(made ?? outDir);
  }
  console.log(`${outDir}/report.html`);
}

/** One flow into its folder, which is there when it is whole; nothing when it is cut off. */
async function measureInto(
  target: string,
  cell: Cell,
  k: number,
  seconds: number,
  outDir: string,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    let flow: Flow;
    try {
      flow = flowResult(cell, k, seconds, await measureFlow(cell, seconds, signal));
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    if (flow.result.postcards_lost > 0) {
      if (attempt < ATTEMPTS) continue;
      throw new Error(
        `${cellName(cell)}: ${flow.result.postcards_lost} postcards were lost in each of ${ATTEMPTS} attempts; is the machine busy?`,
      );
    }
    const folder = await mkdtemp(join(outDir, '.run-'));
    await writeFlow(folder, flow);
    await mkdir(dirname(target), { recursive: true });
    await rename(folder, target);
    return;
  }
}

async function writeFlow(folder: string, { result, queue, tcp }: Flow): Promise<void> {
  // Microseconds need more decimals than the tables of sessions have.
  const time = (t_s: number) => t_s.toFixed(6);
  await writeCsv(
    join(folder, 'queue.csv'),
    ['t_s', 'depth_packets', 'depth_bytes'],
    queue.map(({ t_s, depth_packets, depth_bytes }) => [time(t_s), depth_packets, depth_bytes]),
  );
  await writeCsv(
    join(folder, 'tcp.csv'),
    ['t_s', 'cwnd_packets', 'ssthresh_packets', 'srtt_ms'],
    tcp.map(({ t_s, cwnd_packets, ssthresh_packets, srtt_ms }) => [
      time(t_s),
      cwnd_packets,
      ssthresh_packets,
      srtt_ms,
    ]),
  );
  await writeFile(join(folder, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
}

function existingManifest(outDir: string, resume: boolean, seconds: number): BufferManifest | undefined {
  if (!existsSync(join(outDir, 'manifest.json'))) return undefined;
  if (!resume) throw new Error(`${outDir} has results already; add --resume, or choose another --out`);
  const manifest = readBufferManifest(outDir);
  if (manifest.seconds !== seconds)
    throw new Error(`${outDir} has flows of ${manifest.seconds} s, not ${seconds} s; choose another --out`);
  return manifest;
}

/** Half-written flows of a process that was killed. */
async function sweep(outDir: string): Promise<void> {
  for (const name of await readdir(outDir))
    if (name.startsWith('.run-')) await rm(join(outDir, name), { recursive: true, force: true });
}
