import {
  everyRun,
  type StudyRequest,
  type Plan,
  type Settings,
} from '../../../emulation/harness/runs/study.ts';
import { congestionControlNamed, congestionControls } from '../../../emulation/network/congestion/index.ts';
import { figures } from '../figures/index.ts';
import { checkLinkSettings, linkSize, type LinkSize } from '../link-size.ts';
import { cellName, type Cell } from './cell.ts';
import type { BUFFER_PAPER_OPTIONS } from './options.ts';

export type Form = 'quick' | 'full';

type BufferPaperValues = StudyRequest<typeof BUFFER_PAPER_OPTIONS>;

/** Settings of the buffer paper's experiment. */
export interface PaperSettings extends Settings, LinkSize {
  readonly form: Form;
  /** Seconds of start-up at the beginning of each run, which are not counted. */
  readonly from_s: number;
  /** Additional congestion controls in the figures that compare them; absent if none was requested. */
  readonly others?: readonly string[];
}

/**
 * A link whose bandwidth-delay product is 165 packets of 1514 bytes, as in Updating the Theory of Buffer Sizing §3.6.
 * The paper's lab has 10 Gbit/s, a delay of 1 ms and packets of 9000 bytes (§2).
 */
const LINK = { rate_mbps: 100, rtt_ms: 20 };
/** The duration of the start-up and of the counted time, in base round trips. */
const ROUNDS = { quick: { startUp: 140, counted: 500 }, full: { startUp: 250, counted: 1000 } };
/** Seconds to start the switch and the programs, and to join the records: 3 s on a quiet machine. */
const OVERHEAD_S = 4;

/** Plans the cells of the requested figures, each cell once. Throws an Error for an unknown figure. */
export function planPaper(
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
  asked: BufferPaperValues,
  before?: PaperSettings,
): Plan<PaperSettings> {
  const settings = paperSettings(about, asked, before);
  const cells = plannedCells(settings, asked.figures);
  const { runs, seconds, from_s } = settings;
  if (seconds <= from_s) throw new Error(`--seconds is ${seconds}, but ${from_s} s of that are the start-up`);
  return {
    settings,
    runs: everyRun(runs, [...cells.keys()]),
    units: "in the names of the fields; t_s counts from the first flow's start",
    overhead_s: OVERHEAD_S,
  };
}

function paperSettings(
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
  asked: BufferPaperValues,
  before: PaperSettings | undefined,
): PaperSettings {
  const form = asked.quick === true ? 'quick' : (before?.form ?? 'full');
  const link = linkSize(asked, before, LINK);
  const { startUp, counted } = ROUNDS[form];
  const others = asked.cc?.map(otherNamed) ?? before?.others;
  const from_s = before?.from_s ?? (startUp * link.base_rtt_ms) / 1000;
  return {
    ...about,
    form,
    runs: asked.runs ?? before?.runs ?? 1,
    seconds: asked.seconds ?? before?.seconds ?? from_s + (counted * link.base_rtt_ms) / 1000,
    from_s,
    ...(others && { others }),
    ...link,
  };
}

/**
 * Returns the name of an additional congestion control. Throws an Error if it is unknown, or if the figures include it
 * anyway.
 */
function otherNamed(name: string): string {
  const known = congestionControlNamed(name);
  if (congestionControls[known].loss === null) return known;
  throw new Error(`--cc is '${name}', which the figures have anyway`);
}

/** Returns the cells of the figures with these numbers, by default of all figures, by name. */
export function plannedCells(settings: PaperSettings, numbers?: readonly number[]): Map<string, Cell> {
  const known = figures.map(({ number }) => number);
  const unknown = numbers?.find((number) => !known.includes(number));
  if (unknown !== undefined) throw new Error(`there is no figure ${unknown}; there are ${known.join(', ')}`);
  const chosen = figures.filter(({ number }) => numbers?.includes(number) ?? true);
  return new Map(
    chosen
      .flatMap(({ cells }) => cells(settings.form, settings.others ?? []))
      .map((cell) => [cellName(cell, settings), cell]),
  );
}

export const checkPaperSettings = (value: unknown): PaperSettings =>
  checkLinkSettings<PaperSettings>(value, ['from_s']);
