import { isRecord } from './is-record.ts';
import { sizesFromLists, type SegmentSizes } from './segments.ts';
import { bytes, seconds, type Bytes } from './units.ts';

/**
 * A sidecar describes a ladder's segments beside its manifest, because an MPD with a SegmentTemplate says
 * nothing of sizes, and no MPD says anything of quality.
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

/** Checks a parsed JSON document. Throws an Error that names the offending field. */
export function readSidecar(document: unknown): Sidecar {
  if (!isRecord(document)) throw new Error('sidecar: expected a JSON object');
  if (document.version !== 1) throw new Error(`sidecar: version is ${String(document.version)}, expected 1`);
  // A segment of no duration has an infinite bitrate.
  if (!isNumbers(document.segment_duration_s) || document.segment_duration_s.includes(0)) {
    throw new Error('sidecar: segment_duration_s must be a list of seconds above 0');
  }
  if (!isRecord(document.representations)) throw new Error('sidecar: representations must be an object');
  for (const [id, representation] of Object.entries(document.representations)) {
    if (!isRecord(representation) || !isNumbers(representation.segment_bytes)) {
      throw new Error(`sidecar: representations.${id}.segment_bytes must be a list of byte counts`);
    }
    if (representation.segment_ssim_db !== undefined && !isNumbers(representation.segment_ssim_db)) {
      throw new Error(`sidecar: representations.${id}.segment_ssim_db must be a list of decibels`);
    }
  }
  return document as unknown as Sidecar;
}

export function sizesFromSidecar(sidecar: Sidecar): SegmentSizes {
  const sizes = new Map<string, readonly Bytes[]>(
    Object.entries(sidecar.representations).map(([id, { segment_bytes }]) => [id, segment_bytes.map(bytes)]),
  );
  return sizesFromLists(sidecar.segment_duration_s.map(seconds), sizes);
}

/** The SSIM (dB) of the segment of `rungId` that plays at `time_s`, where the sidecar has it. */
export function ssimAt(sidecar: Sidecar, rungId: string, time_s: number): number | undefined {
  let end = 0;
  const index = sidecar.segment_duration_s.findIndex((duration) => (end += duration) > time_s + 1e-6);
  return sidecar.representations[rungId]?.segment_ssim_db?.[index];
}
