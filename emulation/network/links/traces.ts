import { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { OPPORTUNITY_BYTES, parseTrace, type Trace } from '../../../p4/switch/link/trace.ts';
import type { LinkRate, RateStep } from './link.ts';
import { rotateTrace } from './trace-files/offset.ts';

export { OPPORTUNITY_BYTES, parseTrace, type Trace } from '../../../p4/switch/link/trace.ts';

/** The lowest mean rate: a packet every 1.2 s. */
const SLOWEST_MBPS = 0.01;
/** A rate that no emulator reaches. */
const FASTEST_MBPS = 10_000;
/** The largest relative difference between the rate of a written trace and the requested rate. */
const TOLERANCE = 1e-4;
/** A tolerance far above the rounding errors of floating point, and far below a millisecond. */
const EPSILON_MS = 1e-6;

/** A pair of mahimahi traces, recorded simultaneously in both directions of a device's link. */
export interface TracePair {
  readonly name: string;
  readonly uplink: string;
  readonly downlink: string;
}

/**
 * The message for links that need rates that are known in advance: mahimahi's traces and the simulator's capacities.
 */
export const POISSON_UNSUPPORTED = 'a Poisson rate needs the P4 switch: run ... --link p4';

const packetsPerMs = (mbps: number): number => (mbps * 1000) / 8 / OPPORTUNITY_BYTES;

/** The text of a trace with this rate, as short as possible with an error of at most 0.01%. */
export const constantTrace = (mbps: number): string => scheduleTrace([{ seconds: 0.001, mbps }]);

/**
 * The text of a trace whose rate follows the steps. An opportunity is written for each whole packet of the steps'
 * bytes. Because the file repeats after its last line, the steps are repeated within it until they end with a whole
 * packet.
 */
export function scheduleTrace(steps: readonly RateStep[]): string {
  if (steps.length === 0) throw new Error('a rate schedule needs at least one step');
  for (const step of steps) checkStep(step);
  const length_ms = steps.reduce((sum, { seconds }) => sum + seconds * 1000, 0);
  const once = steps.reduce((sum, { seconds, mbps }) => sum + seconds * 1000 * packetsPerMs(mbps), 0);
  requireRate(once / length_ms / packetsPerMs(1), SLOWEST_MBPS);
  let passes = 1;
  const error = () => Math.abs(Math.round(passes * once) / (passes * once) - 1);
  while (error() > TOLERANCE) passes += 1;
  const perOpportunity = (passes * once) / Math.round(passes * once);

  const lines: string[] = [];
  let start_ms = 0;
  for (let pass = 0; pass < passes; pass += 1) {
    let sent = pass * once;
    for (const { seconds, mbps } of steps) {
      const duration_ms = Math.round(seconds * 1000);
      const sentAtEnd = sent + duration_ms * packetsPerMs(mbps);
      for (;;) {
        const after_ms = ((lines.length + 1) * perOpportunity - sent) / packetsPerMs(mbps);
        if (after_ms > duration_ms + EPSILON_MS) break;
        lines.push(String(start_ms + Math.ceil(after_ms - EPSILON_MS)));
      }
      sent = sentAtEnd;
      start_ms += duration_ms;
    }
  }
  // The file repeats after its last line. If the steps end with a pause, its last packet leaves at the pause's end.
  lines[lines.length - 1] = String(start_ms);
  return `${lines.join('\n')}\n`;
}

function checkStep({ seconds, mbps }: RateStep): void {
  requireRate(mbps, 0);
  const ms = seconds * 1000;
  if (!(ms >= 1) || !Number.isFinite(ms) || Math.abs(ms - Math.round(ms)) > EPSILON_MS)
    throw new Error(`a step cannot last ${seconds} s; expected whole milliseconds, at least one`);
}

/** A single step may be a pause, but not the whole schedule. */
function requireRate(mbps: number, least: number): void {
  if (!(mbps >= least && mbps <= FASTEST_MBPS))
    throw new Error(`a link cannot have ${mbps} Mbit/s; expected ${SLOWEST_MBPS} to ${FASTEST_MBPS}`);
}

/** The folder of the package mahimahi-traces, or MAHIMAHI_TRACES for a mahimahi that was built from source. */
const tracesFolder = (): string => process.env.MAHIMAHI_TRACES ?? '/usr/share/mahimahi/traces';

/** All recorded pairs, by name. */
export async function cellularTraces(): Promise<TracePair[]> {
  const folder = tracesFolder();
  const files = new Set(await readdir(folder).catch(() => []));
  return [...files]
    .filter((file) => file.endsWith('.down'))
    .map((file) => basename(file, '.down'))
    .filter((name) => files.has(`${name}.up`))
    .sort()
    .map((name) => ({ name, uplink: join(folder, `${name}.up`), downlink: join(folder, `${name}.down`) }));
}

/** Returns the file of a trace, by the trace's name in mahimahi-traces without `.up` and `.down`, or by path. */
export async function resolveTrace(nameOrPath: string, direction: 'uplink' | 'downlink'): Promise<string> {
  const pairs = await cellularTraces();
  const known = pairs.find(({ name }) => name === nameOrPath);
  if (known) return known[direction];
  const path = resolve(nameOrPath);
  if (
    await stat(path).then(
      (found) => found.isFile(),
      () => false,
    )
  )
    return path;
  throw new Error(
    pairs.length === 0
      ? `no trace '${nameOrPath}': it is not a rate in Mbit/s (20, or 40x30,5x20), there is no such file, and there are no mahimahi-traces in ${tracesFolder()}; give a file, or see npm run lab -- doctor`
      : `no trace '${nameOrPath}': it is neither a rate in Mbit/s (20, or 40x30,5x20) nor a file nor one of ${pairs.map(({ name }) => name).join(', ')}`,
  );
}

/**
 * Reads the uplink or downlink of a link of kind `trace`, from its offset on. Throws an Error that names the file, the
 * line and the problem.
 */
export async function readTrace(
  rate: Extract<LinkRate, { kind: 'trace' }>,
  direction: 'uplink' | 'downlink',
): Promise<Trace> {
  const path = await resolveTrace(rate[direction], direction);
  return rotateTrace(parseTrace(await readFile(path, 'utf8'), path), rate.offset_ms ?? 0);
}

const traceText = async (...which: Parameters<typeof readTrace>): Promise<string> =>
  `${(await readTrace(...which)).opportunities_ms.join('\n')}\n`;

async function linkTraces(rate: LinkRate): Promise<{ readonly uplink: string; readonly downlink: string }> {
  switch (rate.kind) {
    case 'constant': {
      const trace = constantTrace(rate.mbps);
      return { uplink: trace, downlink: trace };
    }
    case 'schedule':
      return {
        downlink: scheduleTrace(rate.steps),
        uplink: constantTrace(Math.max(...rate.steps.map(({ mbps }) => mbps))),
      };
    case 'poisson':
      throw new Error(POISSON_UNSUPPORTED);
    case 'trace':
      return {
        uplink: await traceText(rate, 'uplink'),
        downlink: await traceText(rate, 'downlink'),
      };
  }
}

/** Checks a rate before anything is started. Throws an Error that tells what is wrong. */
export async function checkRate(rate: LinkRate): Promise<void> {
  if (rate.kind === 'poisson') requireRate(rate.mbps, SLOWEST_MBPS);
  else await linkTraces(rate);
}

/**
 * Writes the two traces for `mm-link UPLINK DOWNLINK` into an existing folder, readable by any user that the shells run
 * as.
 */
export async function writeLinkTraces(
  rate: LinkRate,
  folder: string,
): Promise<{ readonly uplink: string; readonly downlink: string }> {
  const texts = await linkTraces(rate);
  const write = async (direction: 'uplink' | 'downlink'): Promise<string> => {
    const path = join(folder, `${direction}.trace`);
    await writeFile(path, texts[direction]);
    await chmod(path, 0o644);
    return path;
  };
  return { uplink: await write('uplink'), downlink: await write('downlink') };
}
