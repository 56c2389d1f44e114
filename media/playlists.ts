import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vp9CodecString } from './codec-string.ts';
import { INIT_SEGMENT } from './encode.ts';
import { segmentFile } from './segments.ts';
import { SIDECAR_FILE, type QualitySidecar } from './sidecar.ts';

/** The file name of the multivariant playlist next to `manifest.mpd`: HLS with the same segments. */
export const MULTIVARIANT_FILE = 'master.m3u8';
const PLAYLIST_FILE = 'index.m3u8';

type Representation = QualitySidecar['representations'][string];

/** Writes the playlists of an encoded ladder into its folder, from its sidecar. */
export async function writePlaylists(folder: string): Promise<void> {
  const sidecar = JSON.parse(await readFile(join(folder, SIDECAR_FILE), 'utf8')) as QualitySidecar;
  const codecs: Record<string, string> = {};
  for (const [id, { media, segment_bytes }] of Object.entries(sidecar.representations)) {
    codecs[id] = media === 'video' ? vp9CodecString(await readFile(join(folder, id, INIT_SEGMENT))) : 'opus';
    const playlist = printPlaylist(sidecar.segment_duration_s, segment_bytes);
    await writeFile(join(folder, id, PLAYLIST_FILE), playlist);
  }
  // Written last, so that it exists only if the others are complete.
  await writeFile(join(folder, MULTIVARIANT_FILE), printMultivariant(sidecar, codecs));
}

/**
 * Formats the multivariant playlist. A variant's bitrates include its audio (RFC 8216bis §4.4.6). The ids are those of
 * the manifest and the sidecar.
 */
export function printMultivariant(
  { representations, segment_duration_s }: Pick<QualitySidecar, 'representations' | 'segment_duration_s'>,
  codecs: Readonly<Record<string, string>>,
): string {
  const all = Object.entries(representations);
  const sound = all.find(([, { media }]) => media === 'audio');
  const peak = ({ segment_bytes }: Representation): number =>
    Math.max(...segment_bytes.map((size, index) => (8 * size) / (segment_duration_s[index] ?? 1)));
  const variants = all.flatMap(([id, rung]) => {
    if (rung.media !== 'video') return [];
    const attributes = [
      `BANDWIDTH=${Math.ceil(peak(rung) + (sound ? peak(sound[1]) : 0))}`,
      `AVERAGE-BANDWIDTH=${Math.ceil(1000 * (rung.average_kbps + (sound?.[1].average_kbps ?? 0)))}`,
      `CODECS="${[id, ...(sound ? [sound[0]] : [])].map((each) => codecs[each] ?? '').join(',')}"`,
      `RESOLUTION=${rung.width}x${rung.height}`,
      `STABLE-VARIANT-ID="${id}"`,
      ...(sound ? [`AUDIO="sound"`] : []),
    ];
    return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, `${id}/${PLAYLIST_FILE}`];
  });
  const rendition = ([id]: readonly [string, ...unknown[]]): string =>
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="sound",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",STABLE-RENDITION-ID="${id}",URI="${id}/${PLAYLIST_FILE}"`;
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...(sound ? [rendition(sound)] : []),
    ...variants,
    '',
  ].join('\n');
}

/** Formats the playlist of one representation, with each segment's bitrate in kbit/s (RFC 8216bis §4.4.4.8). */
export function printPlaylist(durations_s: readonly number[], sizes_bytes: readonly number[]): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXT-X-TARGETDURATION:${Math.round(Math.max(...durations_s))}`,
    '#EXT-X-MEDIA-SEQUENCE:1',
    `#EXT-X-MAP:URI="${INIT_SEGMENT}"`,
    ...durations_s.flatMap((duration_s, index) => [
      `#EXT-X-BITRATE:${Math.round(((sizes_bytes[index] ?? 0) * 8) / duration_s / 1000)}`,
      `#EXTINF:${duration_s},`,
      segmentFile(index + 1),
    ]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}
