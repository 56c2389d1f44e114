import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content } from '../../../media/cached-ladder.ts';
import type { QualitySidecar } from '../../../media/sidecar.ts';
import type { Film } from '../model/player/film.ts';
import { filmFor } from '../model/player/film-for.ts';

/** Reads the video in a folder, for a session of `seconds`. */
export const simulatedFilm = async (film: Pick<Content, 'directory'>, seconds: number): Promise<Film> =>
  filmFor(await readSidecarFile(film), seconds);

export const readSidecarFile = async ({ directory }: Pick<Content, 'directory'>): Promise<QualitySidecar> =>
  JSON.parse(await readFile(join(directory, 'quality.json'), 'utf8')) as QualitySidecar;
