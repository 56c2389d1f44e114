import { makeLadder, type Ladder, type Rung } from '../film/ladder.ts';
import type { MediaType } from '../film/media-type.ts';
import { createSizes, type SegmentSizes, type TimedSegment } from '../film/segments.ts';
import { subtractAudio, USUAL_AUDIO_BITRATE } from '../host/audio-bitrate.ts';
import { sizedSegment } from '../host/sized-segment.ts';
import type { SegmentIndex, Stream, Variant } from './player.ts';

/** Returns the id of a stream's rung: the id in the manifest, which sidecars also use, or else Shaka's. */
export const findRungId = ({ originalId, id }: Stream): string => originalId ?? `${id}`;

/** The bitrate of a variant's stream, bit/s. HLS specifies only the total bitrate of both streams. */
function findBitrate({ bandwidth, audio, video }: Variant, mediaType: MediaType): number {
  if (mediaType === 'audio') return audio?.bandwidth ?? (video ? USUAL_AUDIO_BITRATE : bandwidth);
  if (!audio || audio.isAudioMuxedInVideo) return bandwidth;
  return audio.bandwidth === undefined ? subtractAudio(bandwidth) : bandwidth - audio.bandwidth;
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

/** Returns the variant whose stream of one media type is a rung. */
export const findVariant = (
  variants: readonly Variant[],
  mediaType: MediaType,
  { id }: Rung,
): Variant | undefined => variants.find(({ [mediaType]: stream }) => stream && findRungId(stream) === id);

/**
 * Returns a variant for each stream of one media type to which a player of `present` may switch. The stream of the
 * other type stays the same if possible. In HLS, some audio renditions belong only to some variants.
 */
export function findAlternatives(
  variants: readonly Variant[],
  present: Variant,
  mediaType: MediaType,
): readonly Variant[] {
  const other = mediaType === 'video' ? 'audio' : 'video';
  const byStream = new Map<Stream | null, Variant>();
  for (const each of variants)
    if (each[other] === present[other] || (mediaType === 'video' && !byStream.has(each.video)))
      byStream.set(each[mediaType], each);
  return [...byStream.values()];
}

/** Segment sizes from manifests with byte ranges, of the streams that have been played. */
export class IndexSizes {
  readonly #known = new Map<string, { readonly count: number; readonly segments: readonly TimedSegment[] }>();
  readonly sizes: SegmentSizes = createSizes((rungId) => this.#known.get(rungId)?.segments);

  /** Reads a stream's index, unless it has already been read. In a live stream, the index grows. */
  learn(stream: Stream): void {
    const index: SegmentIndex | null = stream.segmentIndex;
    if (!index) return;
    const first = index.getNumEvicted();
    const count = first + index.getNumReferences();
    const rungId = findRungId(stream);
    if (this.#known.get(rungId)?.count === count) return;
    const segments: TimedSegment[] = [];
    for (let position = first; position < count; position++) {
      const reference = index.get(position);
      if (!reference) continue;
      const start = reference.getStartTime();
      // The end is null if the segment is an entire file.
      const size = (reference.getEndByte() ?? NaN) - reference.getStartByte() + 1;
      segments.push(...sizedSegment(start, reference.getEndTime() - start, size));
    }
    this.#known.set(rungId, { count, segments });
  }
}
