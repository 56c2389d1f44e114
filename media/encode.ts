import { AUDIO_ID, AUDIO_KBPS, SEGMENT_S, rungSize, type EncodedRung, type Size } from './ladder.ts';
import type { Source } from './sources/source.ts';
import type { Kbps } from '../src/units.ts';

/**
 * Increase this version when a change of the arguments below changes the output. It is part of a cached ladder's name.
 */
export const ENCODER_VERSION = 1;

export interface RungJob {
  readonly rung: EncodedRung;
  readonly ask: Kbps;
}

/** The manifest that ffmpeg writes next to each rung's segments; unused. */
export const FFMPEG_MANIFEST = 'ffmpeg.mpd';
export const INIT_SEGMENT = 'init.mp4';

const dash = (id: string): string[] => [
  ...['-f', 'dash', '-dash_segment_type', 'mp4', '-seg_duration', String(SEGMENT_S)],
  ...['-use_template', '1', '-use_timeline', '0'],
  ...['-init_seg_name', INIT_SEGMENT, '-media_seg_name', '$Number$.m4s', `${id}/${FFMPEG_MANIFEST}`],
];

/**
 * Returns filters that scale the video to the top rung once, and from there to `sizes`. Their outputs are `[NAME0]`,
 * `[NAME1]`, etc.
 */
const scaled = (source: Source, top: Size, sizes: readonly Size[], name: string): string => {
  const split = sizes.map((_, index) => `[${name}in${index}]`).join('');
  return [
    source.picture,
    `[picture]scale=${top.width}:${top.height},setsar=1,split=${sizes.length}${split}`,
    ...sizes.map(
      (size, index) => `[${name}in${index}]scale=${size.width}:${size.height},setsar=1[${name}${index}]`,
    ),
  ].join(';');
};

/**
 * Arguments for one ffmpeg process that decodes the source once and writes every rung, and the audio, as a DASH stream
 * of its own: `ID/init.mp4`, `ID/1.m4s` ... in the current folder. The streams are separate, because ffmpeg's DASH muxer
 * refuses rungs whose rounded sizes have slightly different aspect ratios.
 *
 * libvpx runs in real-time mode without lookahead: two cores encode a minute of 720p in half a minute, and one-pass VBR
 * keeps the bitrate within a few percent of the target (with lookahead it overshoots by 20-60%). The keyframe distance
 * is fixed, because the rate control derives the size of each keyframe from it.
 */
export function encodeArguments(
  source: Source,
  top: Size,
  jobs: readonly RungJob[],
  withSound: boolean,
): string[] {
  const sizes = jobs.map((job) => rungSize(job.rung, source));
  const keyframeDistance = String(source.frameRate * SEGMENT_S);
  const pictures = jobs.flatMap((job, index) => [
    ...['-map', `[out${index}]`, '-c:v', 'libvpx-vp9', '-b:v', `${job.ask}k`],
    ...['-deadline', 'realtime', '-cpu-used', '8', '-row-mt', '1', '-lag-in-frames', '0'],
    ...['-g', keyframeDistance, '-keyint_min', keyframeDistance, ...dash(job.rung.id)],
  ]);
  const graphs = [scaled(source, top, sizes, 'out'), ...(withSound && source.sound ? [source.sound] : [])];
  // Opus in MP4 is experimental in ffmpeg up to 4.2.
  const sound = [
    '-map',
    '[sound]',
    '-c:a',
    'libopus',
    '-strict',
    'experimental',
    '-b:a',
    `${AUDIO_KBPS}k`,
    ...dash(AUDIO_ID),
  ];
  return [
    ...source.inputs,
    ...['-filter_complex', graphs.join(';')],
    ...pictures,
    ...(withSound && source.sound ? sound : []),
  ];
}
