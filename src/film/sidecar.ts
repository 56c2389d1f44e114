import { demand } from '../demand.ts';
import { isRecord } from '../records.ts';
import { createSizes, type SegmentSizes, type TimedSegment } from './segments.ts';
import { bytes, seconds } from '../units.ts';

/**
 * A sidecar is a file beside the manifest that describes the ladder's segments, because an MPD with a SegmentTemplate
 * has no segment sizes, and no MPD has their quality.
 */
export interface Sidecar {
  readonly version: 1;
  readonly segment_duration_s: readonly number[];
  readonly representations: Readonly<Record<string, SidecarRepresentation>>;
}

export interface SidecarRepresentation {
  readonly segment_bytes: readonly number[];
  /** SSIM of each segment in dB, -10 log10(1 - SSIM). */
  readonly segment_ssim_db?: readonly number[] | undefined;
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.every((item) => typeof item === 'number' && Number.isFinite(item) && item >= 0);

/** Checks a parsed JSON document. Throws an Error that names the invalid field, its value and the valid values. */
export function readSidecar(document: unknown): Sidecar {
  demand(isRecord(document), 'sidecar', document, 'a JSON object');
  const { version, segment_duration_s, representations } = document;
  demand(version === 1, 'sidecar.version', version, '1');
  demand(
    // The bitrate of a segment with a duration of 0 would be infinite.
    isNumbers(segment_duration_s) && !segment_duration_s.includes(0),
    'sidecar.segment_duration_s',
    segment_duration_s,
    'a list of seconds above 0',
  );
  demand(isRecord(representations), 'sidecar.representations', representations, 'an object');
  for (const [id, representation] of Object.entries(representations)) {
    const field = `sidecar.representations.${id}`;
    demand(isRecord(representation), field, representation, 'an object');
    const { segment_bytes, segment_ssim_db = [] } = representation;
    demand(isNumbers(segment_bytes), `${field}.segment_bytes`, segment_bytes, 'a list of byte counts');
    demand(isNumbers(segment_ssim_db), `${field}.segment_ssim_db`, segment_ssim_db, 'a list of decibels');
  }
  return document as unknown as Sidecar;
}

/** The sizes and the SSIM of the segments that a sidecar describes. The first segment begins at 0. */
export function sizesFromSidecar({ segment_duration_s, representations }: Sidecar): SegmentSizes {
  const timed = new Map(
    Object.entries(representations).map(([id, { segment_bytes, segment_ssim_db }]) => {
      let end = 0;
      const segments = segment_duration_s.flatMap((duration, index): TimedSegment[] => {
        const start = end;
        end += duration;
        const size = segment_bytes[index];
        if (size === undefined) return [];
        const ssim_db = segment_ssim_db?.[index];
        return [{ start: seconds(start), duration: seconds(duration), size: bytes(size), ssim_db }];
      });
      return [id, segments];
    }),
  );
  return createSizes((id) => timed.get(id));
}
