import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isNumbers, type Value } from '../../../emulation/studies/paper/claims/value.ts';
import { judgeRow } from '../../../emulation/studies/paper/claims/verdict.ts';
import { interval95, mean, quantile } from '../../../emulation/ground/statistics/bootstrap.ts';
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
import { list, wholeNumber } from '../../../system/command-line/parsers.ts';
import { progressPrinter } from '../../../system/progress.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { play, traced, type Film } from '../play.ts';
import { ARMS, EXPECTED, PLACES, type ArmName, type Comparison, type Place } from './expected.ts';
import { MEASURES, measureOutcome, type Measure, type Outcome } from './outcome.ts';

/** The seed of the bootstrap, and the default seed of the places. */
const SEED = 50;
/** The arms that Fugu's stay is compared with (thesis, Figure 2.13). */
const OTHERS: readonly ArmName[] = [
  'bba-unpaced',
  'mpc-hm-unpaced',
  'robust-mpc-hm-unpaced',
  'pensieve-bitrate',
];
/** 5 to 9% longer. */
const PAPERS_STAY: Value = [7, 5, 9];

/** The outcome of each arm at one place of a trace. */
interface Played {
  readonly file: string;
  readonly trace: string;
  readonly outcomes: Readonly<Record<ArmName, Outcome>>;
}

/** The outcome of one arm there, as it is kept in a file. */
interface Kept {
  readonly trace: string;
  readonly outcome: Outcome;
}

const USUAL = { most: 30, places: 1, seconds: 180, seed: SEED };

const commandLine = defineCommandLine({
  command: 'npm run bench -- learnt',
  usage: '--traces FOLDER --out FOLDER [options]',
  about:
    'The learnt rules beside the other algorithms, for docs/results/log/pensieve.md, on the halves of the traces that they were not learnt on: what was expected, and what came out. With --only or --arms what can be compared is printed; such commands, side by side, play the parts.',
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
    only: { valueName: 'F,F', about: 'files of the traces, without .jsonl (all)', parse: list },
    arms: { valueName: 'A,B', about: '(all)', parse: list },
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
  const files = [...new Set(Object.values(PLACES).flat())].filter((file) => only?.includes(file) ?? true);
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
  printSpread(film);
  const whole = (Object.keys(PLACES) as Place[]).filter((place) =>
    PLACES[place].every((file) => files.includes(file)),
  );
  for (const place of whole) console.table(levelsAt(place, played, arms));
  const compared = EXPECTED.filter(
    ({ place, arm, other }) =>
      whole.includes(place) &&
      [arm, ...(other === 'mean of the others' ? OTHERS : [other])].every((each) => arms.includes(each)),
  );
  console.table(compared.map((comparison) => comparisonRow(comparison, played)));
}

/** The files of rules that no package contains, by arm. */
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
  /** Traces of a file, the first by rank. */
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

/** Combines the results by place. A place where one arm plays nothing has no SSIM to compare, and is omitted for all arms. */
function together(file: string, kept: ReadonlyMap<ArmName, readonly Kept[]>): Played[] {
  const [first = []] = kept.values();
  return first.flatMap(({ trace }, place) => {
    const outcomes = Object.fromEntries([...kept].map(([arm, all]) => [arm, all[place]?.outcome])) as Record<
      ArmName,
      Outcome
    >;
    // JSON has null for what is no number.
    const isThere = Object.values(outcomes).every((each) => Number.isFinite(each.ssim_db));
    return isThere ? [{ file, trace, outcomes }] : [];
  });
}

const playedAt = (place: Place, played: readonly Played[]): Played[] =>
  played.filter(({ file }) => PLACES[place].some((each) => each === file));

function levelsAt(place: Place, played: readonly Played[], arms: readonly ArmName[]) {
  const here = playedAt(place, played);
  return arms.map((arm) => ({
    [`${place}, ${here.length} places`]: arm,
    ...Object.fromEntries(
      (Object.keys(MEASURES) as Measure[]).map((measure) => [
        measure,
        mean(here.map(({ outcomes }) => outcomes[arm][measure])).toFixed(2),
      ]),
    ),
  }));
}

/** The difference at each place, the mean of each trace, the mean over the traces; the bootstrap is over traces. */
function comparisonRow(
  { exhibit, place, measure, arm, other, claim }: Comparison,
  played: readonly Played[],
) {
  const byTrace = new Map<string, number[]>();
  for (const { trace, outcomes } of playedAt(place, played)) {
    const theirs =
      other === 'mean of the others'
        ? mean(OTHERS.map((each) => outcomes[each][measure]))
        : outcomes[other][measure];
    const ours = outcomes[arm][measure];
    // The time that viewers stay is compared in percent.
    const difference = measure === 'stay_pct' ? 100 * (ours / theirs - 1) : ours - theirs;
    byTrace.set(trace, [...(byTrace.get(trace) ?? []), difference]);
  }
  const ours = meanInterval([...byTrace.values()].map(mean));
  const paper = measure === 'stay_pct' ? PAPERS_STAY : 'sign';
  const outcome = judgeRow({ what: '', unit: MEASURES[measure], paper, ours, claim });
  return {
    ...{ exhibit, place, measure, arm: `${arm} less ${other}` },
    difference:
      isNumbers(ours) && typeof ours !== 'number' ? ours.map((each) => each.toFixed(2)).join(', ') : ours,
    expected: claim?.of ?? '',
    outcome: outcome ?? '',
  };
}

function meanInterval(values: readonly number[]): Value {
  const random = seededRandom(SEED);
  const interval = interval95(() =>
    mean(values.map(() => values[Math.floor(random() * values.length)] ?? NaN)),
  );
  if (!interval) throw new Error('bench learnt: too few traces for an interval');
  const round = (value: number) => Math.round(100 * value) / 100;
  return [round(mean(values)), round(interval[0]), round(interval[1])];
}

/** Figure 2.6: how much sizes and SSIM vary within one version of the video, 90th less 10th percentile. */
function printSpread({ ladders, sidecar }: Film): void {
  const rows = ladders.video.map(({ id, bitrate_kbps }) => {
    const { segment_bytes: sizes = [], segment_ssim_db: ssims = [] } = sidecar.representations[id] ?? {};
    const spread = (values: readonly number[]) => {
      const sorted = values.toSorted((a, b) => a - b);
      return quantile(sorted, 0.9) - quantile(sorted, 0.1);
    };
    const interval = (values: readonly number[], of: (drawn: readonly number[]) => number) => {
      const random = seededRandom(SEED);
      const drawn = () => of(values.map(() => values[Math.floor(random() * values.length)] ?? NaN));
      return [of(values), ...(interval95(drawn) ?? [])].map((each) => each.toFixed(2)).join(', ');
    };
    // The video is looped; each of its segments counts once.
    const once = new Set(sizes).size;
    return {
      bitrate_kbps,
      segments: once,
      size_spread_pct: interval(sizes.slice(0, once), (drawn) => (100 * spread(drawn)) / mean(drawn)),
      ssim_spread_db: interval(ssims.slice(0, once), spread),
    };
  });
  console.table(rows);
}
