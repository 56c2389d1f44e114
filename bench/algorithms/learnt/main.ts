import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { interval95, mean } from '../../../emulation/ground/statistics/bootstrap.ts';
import { groupBy } from '../../../emulation/ground/statistics/grouped.ts';
import { seededRandom } from '../../../emulation/ground/statistics/random.ts';
import { readTraces } from '../../../emulation/network/links/trace-files/read-traces.ts';
import type { Arm } from '../../../emulation/player/arms/arm.ts';
import { armNamed } from '../../../emulation/player/arms/index.ts';
import { simulatedFilm } from '../../../emulation/player/virtual-time/simulated-film.ts';
import { traceConditions } from '../../../emulation/studies/sessions/trace-conditions.ts';
import { splitByRank } from '../../../emulation/studies/search/split.ts';
import { ensureDefaultContent } from '../../../media/sources/footage.ts';
import { pensieve } from '../../../src/abr/index.ts';
import { withoutUndefined } from '../../../src/records.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';
import { parseChoices, wholeNumber } from '../../../system/command-line/parsers.ts';
import { progressPrinter } from '../../../system/progress.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { play, traced, type Film } from '../play.ts';
import { MEASURES, measureOutcome, type Measure, type Outcome } from './outcome.ts';

/** The seed of the bootstrap, and the default seed of the places in the traces. */
const SEED = 50;
/**
 * The traces of the evaluation. No rule was trained on them: they are the other halves of the files with which the rule
 * of the published reward was trained, and other files.
 */
const PLACES = {
  own: ['norway-3g', 'fcc-sd'],
  elsewhere: ['puffer-slow', 'puffer', 'oboe'],
  puffer: ['puffer-slow', 'puffer'],
} as const;
type Place = keyof typeof PLACES;
/** The files of all places, without `.jsonl`. */
const FILES = [...new Set(Object.values(PLACES).flat())];

/**
 * The arms. The first six are trained rules, in this order: with the published reward; with SSIM; with SSIM, played with
 * Sammy's pace; on Puffer's traces; with SSIM, trained and played with the pace; a candidate to replace the first rule.
 * The others are arms of the lab.
 */
const ARMS = [
  ...(['pensieve-bitrate', 'pensieve-ssim', 'sammy-pensieve-ssim', 'pensieve-puffer'] as const),
  ...(['sammy-pensieve-paced', 'pensieve-candidate'] as const),
  ...(['bba-unpaced', 'mpc-hm-unpaced', 'robust-mpc-hm-unpaced', 'fugu-unpaced', 'sammy-careful'] as const),
] as const;
type ArmName = (typeof ARMS)[number];

/** The outcome of each arm at one place of a trace. */
interface Played {
  readonly file: string;
  readonly trace: string;
  readonly outcomes: Readonly<Record<ArmName, Outcome>>;
}

/** The outcome of one arm at a place, as stored in a file. */
interface Kept {
  readonly trace: string;
  readonly outcome: Outcome;
}

const USUAL = { most: 30, places: 1, seconds: 180, seed: SEED };

const commandLine = defineCommandLine({
  command: 'npm run bench -- learnt',
  usage: '--traces FOLDER --out FOLDER [options]',
  about:
    'The learnt rules beside the other algorithms, on the halves of the traces that they were not learnt on: the mean of each measure, and its difference from the first arm with a 95% interval. Several such commands with --only or --arms, side by side, play the parts.',
  options: {
    traces: { valueName: 'FOLDER', about: 'of the traces' },
    puffer: { valueName: 'MODEL', about: 'learnt on Puffer’s traces; without it that arm is left out' },
    paced: { valueName: 'MODEL', about: 'learnt with --paced, by SSIM; without it that arm is left out' },
    candidate: {
      valueName: 'MODEL',
      about: 'learnt as pensieve-bitrate.bin was, to replace it; without it that arm is left out',
    },
    out: {
      valueName: 'FOLDER',
      about: 'where the sessions of an arm on the traces of a file are kept, and not played again',
    },
    only: {
      valueName: 'F,F',
      about: 'files of the traces, without .jsonl (all)',
      parse: parseChoices(FILES),
    },
    arms: { valueName: 'A,B', about: '(all)', parse: parseChoices(ARMS) },
    most: {
      valueName: 'N',
      about: `traces of a file, the first by rank (${USUAL.most})`,
      parse: wholeNumber(1),
    },
    places: { valueName: 'N', about: `of each trace (${USUAL.places})`, parse: wholeNumber(1) },
    seconds: { valueName: 'S', about: `of each session (${USUAL.seconds})`, parse: wholeNumber(1) },
    seed: { valueName: 'N', about: `of the places (${USUAL.seed})`, parse: wholeNumber(0) },
  },
});
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  const { most, places, seconds, seed } = { ...USUAL, ...withoutUndefined(values) };
  const { traces, puffer, paced, candidate, out, only } = values;
  if (traces === undefined || out === undefined)
    throw new Error('bench learnt: needs --traces FOLDER and --out FOLDER');
  const film = await simulatedFilm(await ensureDefaultContent(), seconds);
  const asked = { film, seconds, places, most, seed };
  const models: Models = {
    ...{ 'pensieve-puffer': puffer, 'sammy-pensieve-paced': paced },
    'pensieve-candidate': candidate,
  };
  const arms = ARMS.filter(
    (arm) => (!(arm in models) || models[arm] !== undefined) && (values.arms?.includes(arm) ?? true),
  );
  const files = FILES.filter((file) => only?.includes(file) ?? true);
  const played: Played[] = [];
  mkdirSync(out, { recursive: true });
  for (const file of files) {
    const kept = new Map<ArmName, Kept[]>();
    for (const arm of arms) {
      const name = `${file}-${arm}.json`;
      if (!existsSync(join(out, name))) {
        const path = join(traces, `${file}.jsonl`);
        replaceFiles(out, { [name]: asJson(await playFile(path, arm, makeArm(arm, models), asked)) });
      }
      kept.set(arm, JSON.parse(readFileSync(join(out, name), 'utf8')) as Kept[]);
    }
    played.push(...together(file, kept));
  }
  const whole = (Object.keys(PLACES) as Place[]).filter((place) =>
    PLACES[place].every((file) => files.includes(file)),
  );
  for (const place of whole) console.table(levelsAt(place, played, arms));
}

/** The files of trained rules that are not in the package, by arm. */
type Models = Readonly<Partial<Record<ArmName, string | undefined>>>;

function makeArm(name: ArmName, models: Models): Arm {
  const model = models[name];
  if (model === undefined) return armNamed(name);
  const pacing = name.startsWith('sammy-');
  return { name, about: '', sammy: { abr: pensieve({ model: readFileSync(model) }), pacing } };
}

interface Asked {
  readonly film: Film;
  readonly seconds: number;
  readonly places: number;
  /** The maximum number of traces per file. The first ones by rank are used. */
  readonly most: number;
  /** The seed of the places. */
  readonly seed: number;
}

async function playFile(
  path: string,
  name: ArmName,
  arm: Arm,
  { film, seconds, places, most, seed }: Asked,
): Promise<Kept[]> {
  const [, heldOut] = splitByRank(await readTraces(path));
  const conditions = traceConditions(heldOut.slice(0, most), places, seededRandom(seed));
  const print = progressPrinter();
  const kept: Kept[] = [];
  for (const [index, condition] of conditions.entries()) {
    const { link, cluster: trace } = condition;
    if (!link || trace === undefined) throw new Error(`${condition.name} has no link`);
    const network = await traced({ name: trace, link, duration_ms: 0 });
    kept.push({ trace, outcome: measureOutcome(play(arm, film, network, seconds), film, seconds) });
    print({ task: `Playing ${name} on ${basename(path)}`, fraction: (index + 1) / conditions.length });
  }
  print.end();
  return kept;
}

/**
 * Combines the results of all arms by place. Omits places at which any arm plays nothing, because that arm has no SSIM
 * to compare.
 */
function together(file: string, kept: ReadonlyMap<ArmName, readonly Kept[]>): Played[] {
  const [first = []] = kept.values();
  return first.flatMap(({ trace }, place) => {
    const outcomes = Object.fromEntries([...kept].map(([arm, all]) => [arm, all[place]?.outcome])) as Record<
      ArmName,
      Outcome
    >;
    // JSON stores null for a value that is not a number.
    const isThere = Object.values(outcomes).every((each) => Number.isFinite(each.ssim_db));
    return isThere ? [{ file, trace, outcomes }] : [];
  });
}

const playedAt = (place: Place, played: readonly Played[]): Played[] =>
  played.filter(({ file }) => PLACES[place].some((each) => each === file));

function levelsAt(place: Place, played: readonly Played[], arms: readonly ArmName[]) {
  const here = playedAt(place, played);
  const [first] = arms;
  return arms.map((arm) => ({
    [`${place}, ${here.length} places`]: arm,
    ...Object.fromEntries(
      (Object.keys(MEASURES) as Measure[]).map((measure) => {
        const level = mean(here.map(({ outcomes }) => outcomes[arm][measure])).toFixed(2);
        if (first === undefined || arm === first) return [measure, level];
        const byTrace = groupBy(here, ({ trace }) => trace);
        const differences = [...byTrace.values()].map((places) =>
          mean(places.map(({ outcomes }) => outcomes[arm][measure] - outcomes[first][measure])),
        );
        return [measure, `${level} (${formatDifference(differences)})`];
      }),
    ),
  }));
}

/** The mean of one difference per trace, and its interval by the bootstrap over traces. */
function formatDifference(values: readonly number[]): string {
  const random = seededRandom(SEED);
  const resample = () => mean(values.map(() => values[Math.floor(random() * values.length)] ?? NaN));
  return [mean(values), ...(interval95(resample) ?? [])].map((each) => each.toFixed(2)).join(', ');
}
