/** The planner with the package's model: a chunk that `dashjs-sammy/planner` loads. */
import model from '../models/fugu-ttp.bin?url&inline';
import { planner } from './abr/fugu/planner.ts';

/** Decodes a `data:` URL. The page's Content Security Policy might forbid `fetch()` for such a URL. */
const decodeDataUrl = (url: string): Uint8Array =>
  Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (letter) => letter.charCodeAt(0));

export const plannerWithModel = planner({ model: () => decodeDataUrl(model) });
