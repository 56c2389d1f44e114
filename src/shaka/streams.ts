import { makeLadder, type Ladder } from '../film/ladder.ts';
import type { MediaType } from '../film/media-type.ts';
import { createSizes, type SegmentSizes, type TimedSegment } from '../film/segments.ts';
import { LARGEST_AUDIO_SHARE, USUAL_AUDIO_BITRATE } from '../host/audio-bitrate.ts';
import { bytes, seconds } from '../units.ts';
import type { SegmentIndex, Stream, Variant } from './player.ts';

/** Returns the id of a stream's rung: the id in the manifest, which sidecars also use, or else Shaka's. */
export const findRungId = ({ originalId, id }: Stream): string => originalId ?? `${id}`;

/** The bitrate of a variant's stream, bit/s. HLS specifies only the total bitrate of both streams. */
function findBitrate({ bandwidth, audio, video }: Variant, mediaType: MediaType): number {
  if (mediaType === 'audio') return audio?.bandwidth ?? (video ? USUAL_AUDIO_BITRATE : bandwidth);
  return audio && !audio.isAudioMuxedInVideo
    ? bandwidth - (audio.bandwidth ?? Math.min(USUAL_AUDIO_BITRATE, LARGEST_AUDIO_SHARE * bandwidth))
    : bandwidth;
}

/** Makes a ladder of the variants' streams of one media type, by bitrate. */
export const makeStreamLadder = (variants: readonly Variant[], mediaType: MediaType): Ladder | undefined =>
  makeLadder(
    variants
      .flatMap((variant) => {
        const stream = variant[mediaType];
        return stream ? [{ id: findRungId(stream), bandwidth: findBitrate(variant, mediaType) }] : [];
      })
      .sort((a, b) => a.bandwidth - b.bandwidth),
  );

/**
 * Returns a variant for each stream of one media type to which a player of `present` may switch. The stream of the
 * other type stays the same if possible. In HLS, some audio renditions belong only to some variants.
 */
export function findAlternatives(
  variants: readonly Variant[],
  present: Variant,
  mediaType: MediaType,
): readonly Variant[] {
  const keepsOther = (each: Variant) =>
    mediaType === 'video' ? each.audio === present.audio : each.video === present.video;
  const byStream = new Map<Stream | null, Variant>();
  for (const each of variants)
    if (keepsOther(each) || (mediaType === 'video' && !byStream.has(each.video)))
      byStream.set(each[mediaType], each);
  return [...byStream.values()];
}

/** Segment sizes from manifests with byte ranges, of the streams that have been played. */
export class IndexSizes {
  readonly #known = new Map<string, { readonly count: number; readonly segments: readonly TimedSegment[] }>();
  readonly sizes: SegmentSizes = createSizes((rungId) => this.#known.get(rungId)?.segments);

  /** Reads a stream's index, unless it has already been read. In a live stream, the index grows. */
  learn(stream: Stream): void {
    const { segmentIndex: index } = stream;
    if (!index) return;
    const first = index.getNumEvicted();
    const count = first + index.getNumReferences();
    const rungId = findRungId(stream);
    if (this.#known.get(rungId)?.count === count) return;
    this.#known.set(rungId, { count, segments: readSegments(index, first, count) });
  }
}

function readSegments(index: SegmentIndex, first: number, end: number): readonly TimedSegment[] {
  const segments: TimedSegment[] = [];
  for (let position = first; position < end; position++) {
    const reference = index.get(position);
    const lastByte = reference?.getEndByte();
    if (!reference || typeof lastByte !== 'number') continue;
    const start = reference.getStartTime();
    segments.push({
      start: seconds(start),
      duration: seconds(reference.getEndTime() - start),
      size: bytes(lastByte - reference.getStartByte() + 1),
    });
  }
  return segments;
}
