import { once } from 'node:events';
import { directoryOrigin } from '../../edge/local/directory-origin.ts';
import { originsByPrefix } from '../../edge/prefixes.ts';
import { ranged } from '../../edge/ranged.ts';
import { startNodeEdge } from '../../emulation/network/edges/node-edge.ts';
import { FILM_TIMES } from '../../emulation/player/records/session-settings.ts';
import { loopedFilm } from '../../media/looped-film.ts';

/**
 * A program that serves the lab's content with Reno, in the same way as `npm run edge`: `edge.ts FOLDER YIELD_CONTROL
 * [DOWNLOADS]`. Prints its port, and ends when its standard input ends.
 */
const [folder = '', yieldControl = '', downloads = folder] = process.argv.slice(2);
const film = ranged(await loopedFilm(await directoryOrigin(folder), folder, FILM_TIMES));
const origin = originsByPrefix({ '/film/': film, '/download/': await directoryOrigin(downloads) });
const edge = await startNodeEdge(origin, 'reno', { yieldControl });
process.stdout.write(`${edge.port}\n`);
await once(process.stdin.resume(), 'end');
process.exit();
