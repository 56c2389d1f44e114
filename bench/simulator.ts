import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Film } from '../emulation/player/model/player/film.ts';
import type { Capacity } from '../emulation/network/virtual/rounds/capacity.ts';
import { scheduledRate } from '../emulation/network/virtual/rounds/rates.ts';
import { simulateSession } from '../emulation/player/model/session.ts';
import type { Arm } from '../emulation/player/arms/arm.ts';
import { armNamed } from '../emulation/player/arms/index.ts';
import type { RateStep } from '../emulation/network/links/link.ts';
import { seededRandom } from '../emulation/ground/statistics/random.ts';
import { bba, bola, hyb, mpcHm, robustMpcHm } from '../src/abr/index.ts';
import type { AbrAlgorithm } from '../src/abr/index.ts';
import { makeLadder } from '../src/film/ladder.ts';
import { median } from '../src/median.ts';

const run = promisify(execFile);
const medianOrNaN = (values: readonly number[]): number => median(values) ?? NaN;

/** Sabre's algorithms, the default first. */
const SABRES = ['bolae', 'bola', 'throughput', 'dynamic'] as const;
const ROUNDS = 5;
const SESSIONS = { ours: 10, sabre: 3 };
/** A video of ten minutes, with the rungs of Sabre's example. */
const SECONDS = 600;
const SEGMENT_S = 3;
const BITRATES_KBPS = [230, 331, 477, 688, 991, 1427, 2056, 2962, 5027, 6000];
const LATENCY_MS = 80;
/** Mbit/s, least and most, each step lasting 5 s. */
const NETWORKS = { slow: [0.3, 3], middle: [2, 9], fast: [8, 40] } as const;

type Network = keyof typeof NETWORKS;

const unpaced = (abr: AbrAlgorithm): Pick<Arm, 'sammy'> => ({ sammy: { pacing: false, abr } });
const ARMS: Readonly<Record<string, Pick<Arm, 'sammy' | 'settings'>>> = {
  HYB: unpaced(hyb()),
  BBA: unpaced(bba()),
  BOLA: unpaced(bola()),
  'HYB with its pace': armNamed('sammy-paper'),
  'stock dash.js': armNamed('dashjs'),
  'MPC-HM': unpaced(mpcHm()),
  'RobustMPC-HM': unpaced(robustMpcHm()),
};

/** Processor time of a session of ten minutes, ms, and how many of ours take the time of one of Sabre's. */
export interface SimulatorSpeed {
  readonly network: Network;
  readonly sabre_ms: Readonly<Record<string, number>>;
  /** A session of Sabre as a separate program, including the start of Python, as users run it. */
  readonly program_ms: number;
  readonly ours: readonly {
    readonly name: string;
    readonly ms: number;
    /** Against Sabre's default, compiled once, without the start of Python: the stricter reading. Median of the rounds. */
    readonly ratio: number;
    /** Against the program. Median of the rounds. */
    readonly programRatio: number;
  }[];
}

/** Plays the same video over the same networks alternately in Sabre and in the simulator. */
export async function benchSimulator(sabre: string): Promise<SimulatorSpeed[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dashjs-sammy-sabre-'));
  try {
    const sizes_bits = sizes();
    const film = join(folder, 'film.json');
    await writeFile(
      film,
      JSON.stringify({
        segment_duration_ms: SEGMENT_S * 1000,
        bitrates_kbps: BITRATES_KBPS,
        segment_sizes_bits: sizes_bits,
      }),
    );
    const speeds: SimulatorSpeed[] = [];
    for (const [network, range] of Object.entries(NETWORKS)) {
      const steps = makeSteps(range);
      const trace = join(folder, `${network}.json`);
      await writeFile(
        trace,
        JSON.stringify(
          steps.map(({ seconds, mbps }) => ({
            duration_ms: seconds * 1000,
            bandwidth_kbps: mbps * 1000,
            latency_ms: LATENCY_MS,
          })),
        ),
      );
      const asked = {
        network: network as Network,
        capacity: scheduledRate(steps),
        film: makeFilm(sizes_bits),
      };
      speeds.push(await compared(asked, (algorithm) => ['-n', trace, '-m', film, '-a', algorithm], sabre));
    }
    return speeds;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function compared(
  { network, capacity, film }: { network: Network; capacity: Capacity; film: Film },
  wordsFor: (algorithm: string) => string[],
  sabre: string,
): Promise<SimulatorSpeed> {
  const theirs = new Map<string, number[]>();
  const ours = new Map<string, number[]>();
  const programs: number[] = [];
  const note = (all: Map<string, number[]>, name: string, ms: number) =>
    all.set(name, [...(all.get(name) ?? []), ms]);
  for (const arm of Object.values(ARMS)) measureCpu(() => play(arm, film, capacity), 2);
  for (let round = 0; round < ROUNDS; round++) {
    for (const algorithm of SABRES) note(theirs, algorithm, await sabreTime(sabre, wordsFor(algorithm)));
    programs.push(await programTime(sabre, wordsFor(SABRES[0])));
    for (const [name, arm] of Object.entries(ARMS))
      note(
        ours,
        name,
        measureCpu(() => play(arm, film, capacity), name.includes('MPC') ? 2 : SESSIONS.ours),
      );
  }
  const base = theirs.get(SABRES[0]) ?? [];
  const ratioTo = (times: readonly number[], taken: readonly number[]) =>
    medianOrNaN(taken.map((ms, round) => (times[round] ?? NaN) / ms));
  return {
    network,
    sabre_ms: Object.fromEntries([...theirs].map(([name, taken]) => [name, medianOrNaN(taken)])),
    program_ms: medianOrNaN(programs),
    ours: [...ours].map(([name, taken]) => ({
      name,
      ms: medianOrNaN(taken),
      ratio: ratioTo(base, taken),
      programRatio: ratioTo(programs, taken),
    })),
  };
}

const play = (arm: Pick<Arm, 'sammy' | 'settings'>, film: Film, capacity: Capacity): void => {
  simulateSession({
    arm,
    film,
    network: { capacity, rtt_ms: LATENCY_MS, queue_bytes: 150_000 },
    seconds: SECONDS,
  });
};

/** The processor time of one of `times` calls, ms. */
function measureCpu(work: () => void, times: number): number {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

async function sabreTime(sabre: string, words: readonly string[]): Promise<number> {
  const driver = fileURLToPath(new URL('./sabre.py', import.meta.url));
  const { stdout } = await run('python3', [driver, sabre, `${SESSIONS.sabre}`, ...words]);
  return medianOrNaN(JSON.parse(stdout) as number[]);
}

/** The processor time of the program as a whole, ms. */
async function programTime(sabre: string, words: readonly string[]): Promise<number> {
  const measure =
    'import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); ' +
    'used = resource.getrusage(resource.RUSAGE_CHILDREN); print(1000 * (used.ru_utime + used.ru_stime))';
  const { stdout } = await run('python3', ['-c', measure, 'python3', sabre, ...words]);
  return Number(stdout);
}

/** Sizes that wander by about a third around the nominal bitrate, as scenes do; bits, by segment and rung. */
function sizes(): number[][] {
  const random = seededRandom(3);
  let scene = 0;
  return Array.from({ length: SECONDS / SEGMENT_S }, () => {
    scene = 0.7 * scene + 0.5 * (random() - 0.5);
    return BITRATES_KBPS.map((kbps) => Math.round(kbps * 1000 * SEGMENT_S * Math.exp(scene)));
  });
}

function makeSteps([least, most]: readonly [number, number]): RateStep[] {
  const random = seededRandom(5);
  return Array.from({ length: 120 }, () => ({ seconds: 5, mbps: least * (most / least) ** random() }));
}

const makeFilm = (sizes_bits: readonly (readonly number[])[]): Film => {
  const video = makeLadder(BITRATES_KBPS.map((kbps) => ({ id: `${kbps}`, bandwidth: kbps * 1000 })));
  if (!video) throw new Error('the film has no rungs');
  return {
    ladders: { video },
    sidecar: {
      version: 1,
      segment_duration_s: sizes_bits.map(() => SEGMENT_S),
      representations: Object.fromEntries(
        BITRATES_KBPS.map((kbps, rung) => [
          `${kbps}`,
          { segment_bytes: sizes_bits.map((bits) => Math.round((bits[rung] ?? 0) / 8)) },
        ]),
      ),
    },
  };
};

export const simulatorLines = (speeds: readonly SimulatorSpeed[]): string[] =>
  speeds.flatMap(({ network, sabre_ms, program_ms, ours }) => [
    `Simulator, ten minutes, ${network} network: Sabre ${Object.entries(sabre_ms)
      .map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
      .join(', ')} ms; as a program ${program_ms.toFixed(0)} ms`,
    ...ours.map(
      ({ name, ms, ratio, programRatio }) =>
        `  ${name}: ${ms.toFixed(2)} ms, ${ratio.toFixed(1)} times as fast as Sabre compiled once, ${programRatio.toFixed(0)} times as fast as the program (target: ${name.includes('MPC') ? 3 : 20})`,
    ),
  ]);
