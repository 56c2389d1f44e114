import { simulatedFilm } from '../../emulation/player/virtual-time/simulated-film.ts';
import { ensureDefaultContent } from '../../media/sources/footage.ts';
import { withoutUndefined } from '../../src/records.ts';
import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { list, wholeNumber } from '../../system/command-line/parsers.ts';
import { SHOWN, writeFront } from './viewer/write-front.ts';

/** The simulated video lasts at least this long, s. */
const VIDEO_S = 300;
/** The seed of the random places in the traces. */
const PLACES_SEED = 31;

const USUAL = { seconds: 180, places: 2, known: 8 };

const commandLine = defineCommandLine({
  command: 'npm run bench -- algorithms',
  usage: '--front FILE,FILE [options]',
  about:
    'Each algorithm in the simulator, for the table and the picture of docs/guide/algorithms/index.md: stalls against SSIM at random places of several sets of traces.',
  options: {
    front: { valueName: 'FILE,FILE', about: 'of traces', parse: list },
    out: { valueName: 'NAME', about: 'the files, without their endings (front)' },
    seconds: { valueName: 'S', about: `of each session (${USUAL.seconds})`, parse: wholeNumber(1) },
    places: { valueName: 'N', about: `of each trace (${USUAL.places})`, parse: wholeNumber(1) },
    known: {
      valueName: 'N',
      about: `places at which a planner that knows the network plays, too (${USUAL.known})`,
      parse: wholeNumber(1),
    },
    arms: { valueName: 'A,B', about: '(those of the picture)', parse: list },
  },
});
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  const { seconds, places, known } = { ...USUAL, ...withoutUndefined(values) };
  const { front, out = 'front', arms = Object.keys(SHOWN).slice(1) } = values;
  if (front === undefined) throw new Error('bench algorithms: needs --front FILE,FILE');
  const film = await simulatedFilm(await ensureDefaultContent(), Math.max(seconds, VIDEO_S));
  await writeFront(out, front, film, { arms, places, known, seed: PLACES_SEED, seconds });
}
