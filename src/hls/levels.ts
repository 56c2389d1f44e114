import { makeLadder, type Ladder } from '../film/ladder.ts';
import type { MediaType } from '../film/media-type.ts';
import { createSizes, type SegmentSizes, type TimedSegment } from '../film/segments.ts';
import { subtractAudio, USUAL_AUDIO_BITRATE } from '../host/audio-bitrate.ts';
import { sizedSegment } from '../host/sized-segment.ts';
import type { Fragment, HlsPlayer, Level, LevelDetails, MediaRequest, Part } from './player.ts';

/**
 * Returns the id of a level's rung: the playlist's STABLE-VARIANT-ID, which sidecars also use, or else an id with the
 * level's index. Levels of the same video with different audio groups may share a STABLE-VARIANT-ID.
 */
export function findRungId({ levels }: Pick<HlsPlayer, 'levels'>, index: number): string {
  const idAt = (each: number) => levels[each]?.attrs['STABLE-VARIANT-ID'];
  const id = idAt(index);
  const isShared = levels.some((_, each) => each !== index && idAt(each) === id);
  return id === undefined ? String(index) : isShared ? `level-${index}` : id;
}

/**
 * The average bitrate of a level's own segments, bit/s. The level's attributes include the audio renditions, whose
 * bitrate is subtracted.
 */
function findSegmentBitrate({ allAudioTracks }: HlsPlayer, level: Level): number {
  const bitrate = Number(level.attrs['AVERAGE-BANDWIDTH']) || level.bitrate;
  const isSeparate = allAudioTracks.some(({ groupId, url }) => url && level.audioGroups?.includes(groupId));
  return isSeparate ? subtractAudio(bitrate) : bitrate;
}

/** Makes a ladder from levels, by index. */
export const makeLevelLadder = (hls: HlsPlayer, indexes: readonly number[]): Ladder | undefined =>
  makeLadder(
    indexes.flatMap((index) => {
      const level = hls.levels[index];
      return level ? [{ id: findRungId(hls, index), bandwidth: findSegmentBitrate(hls, level) }] : [];
    }),
  );

/** Makes a ladder with a single rung: the audio rendition of a request. */
export function makeRenditionLadder(hls: HlsPlayer, { frag }: MediaRequest): Ladder | undefined {
  const id = hls.audioTracks[frag.level]?.attrs['STABLE-RENDITION-ID'] ?? `audio-${frag.level}`;
  return makeLadder([{ id, bandwidth: USUAL_AUDIO_BITRATE }]);
}

/**
 * Returns the indexes of the levels that may be chosen, by the same conditions as hls.js's own rule. A level must be
 * within the limits of the application, the player's size and the dropped frames. It must have the codecs and the
 * dynamic range of the level `base`, decode smoothly, and not have failed lately.
 */
export function choosableLevels(hls: HlsPlayer, base: number): readonly number[] {
  const { levels, minAutoLevel, maxAutoLevel } = hls;
  const present = levels[base];
  const allowed = [...levels.keys()].filter((index) => index >= minAutoLevel && index <= maxAutoLevel);
  const choosable = allowed.filter((index) => {
    const level = levels[index];
    if (!level) return false;
    const { codecSet, videoRange, supportedResult } = level;
    return (
      (!present || (codecSet === present.codecSet && videoRange === present.videoRange)) &&
      !supportedResult?.decodingInfoResults?.some(({ smooth }) => !smooth) &&
      (index === base || !isPenalized(level, hls))
    );
  });
  return choosable.length > 0 ? choosable : allowed;
}

/** Whether a level has failed lately. */
function isPenalized({ loadError, fragmentError, loadErrorTime }: Level, { config }: HlsPlayer): boolean {
  if (loadError === 0 && fragmentError === 0) return false;
  const expires_ms = config.errorPenaltyExpireMs;
  return !(expires_ms > 0 && loadErrorTime > 0 && performance.now() - loadErrorTime > expires_ms);
}

/**
 * The media type of a fragment's type; undefined for subtitles. A fragment of a level (`main`) is video, or audio if no
 * level has video.
 */
export function findMediaType({ levels }: HlsPlayer, type: string): MediaType | undefined {
  if (type === 'audio') return 'audio';
  if (type !== 'main') return undefined;
  return levels.length > 0 && levels.every(({ videoCodec, audioCodec }) => !videoCodec && audioCodec)
    ? 'audio'
    : 'video';
}

/** The media type of hls.js's levels. Sammy chooses rungs only for this type. */
export const findLevelMediaType = (hls: HlsPlayer): MediaType => findMediaType(hls, 'main') ?? 'video';

/** Whether segments of a live stream are sent while they are encoded. */
export const isLowLatency = (
  { config }: HlsPlayer,
  part: Part | null,
  details: LevelDetails | null,
): boolean => part !== null || (config.lowLatencyMode && !!details?.live && !!details.partList?.length);

/**
 * Segment sizes from playlists with byte ranges or EXT-X-BITRATE. Known only for levels that hls.js has played, because
 * it loads a level's playlist at the first use.
 */
export function playlistSizes(hls: HlsPlayer): SegmentSizes {
  const known = new WeakMap<readonly Fragment[], readonly TimedSegment[]>();
  return createSizes((rungId) => {
    const index = [...hls.levels.keys()].find((each) => findRungId(hls, each) === rungId);
    const fragments = hls.levels[index ?? -1]?.details?.fragments;
    if (!fragments) return undefined;
    let segments = known.get(fragments);
    if (!segments) known.set(fragments, (segments = fragments.flatMap(toSegment)));
    return segments;
  });
}

const toSegment = ({ start, duration, bitrate }: Fragment): readonly TimedSegment[] =>
  sizedSegment(start, duration, Math.round(((bitrate ?? 0) * duration) / 8));

/**
 * The buffer level up to which hls.js downloads at a bitrate (bit/s). The option `maxBufferLength` is only a lower
 * limit.
 */
export function bufferLengthAt(hls: HlsPlayer, bitrate: number): number {
  const { maxBufferLength, maxBufferSize, maxMaxBufferLength } = hls.config;
  const length = bitrate > 0 ? Math.max((8 * maxBufferSize) / bitrate, maxBufferLength) : maxBufferLength;
  const latency = (hls.latestLevelDetails?.live ? hls.targetLatency : null) ?? 0;
  return Math.min(length, maxMaxBufferLength, latency > 0 ? latency : Infinity);
}
