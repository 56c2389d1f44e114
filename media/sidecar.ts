import type { Sidecar } from '../src/film/sidecar.ts';
import { seconds, type Bytes, type Kbps, type Seconds } from '../src/units.ts';
import {
  AUDIO_ID,
  AUDIO_KBPS,
  honestBitrate,
  rungSize,
  segmentDurations,
  topSize,
  type EncodedRung,
} from './ladder.ts';
import { meanSegmentBitrate } from './segments.ts';
import type { Source } from './sources/source.ts';
import { SSIM_EVERY_NTH_FRAME } from './ssim.ts';

/**
 * `quality.json` beside `manifest.mpd`: the size and quality of each segment, which a manifest cannot state. `Sidecar`
 * has the fields that players read; the others are for people and for the lab.
 */
export interface QualitySidecar extends Sidecar {
  readonly title: string;
  /** The credit that the content's license requires. */
  readonly credit?: string;
  readonly license?: string;
  /** The SHA-256 or the recipe of the encoded source. */
  readonly source: string;
  /** The duration of each segment, the same in every representation. */
  readonly segment_duration_s: readonly Seconds[];
  /**
   * How SSIM was measured: the size at which rungs and source are compared (smaller rungs are scaled up), and the
   * interval between measured frames.
   */
  readonly ssim: {
    readonly reference_width: number;
    readonly reference_height: number;
    readonly every_nth_frame: number;
  };
  /** The representations by Representation@id. */
  readonly representations: Readonly<Record<string, SidecarRepresentation>>;
}

interface Measured {
  /** Representation@bandwidth in kbit/s. */
  readonly bitrate_kbps: Kbps;
  /** The average rate: the size of all media segments divided by the whole duration. */
  readonly average_kbps: Kbps;
  /** The size of each media segment, including all boxes. */
  readonly segment_bytes: readonly Bytes[];
}

interface VideoRepresentation extends Measured {
  readonly media: 'video';
  readonly width: number;
  readonly height: number;
  /** -10 log10(1 - SSIM) of each segment, in dB. SSIM is the mean over the segment's measured frames and all planes. */
  readonly segment_ssim_db: readonly number[];
}

interface AudioRepresentation extends Measured {
  readonly media: 'audio';
}

type SidecarRepresentation = VideoRepresentation | AudioRepresentation;

export const SIDECAR_FILE = 'quality.json';
export const MANIFEST_FILE = 'manifest.mpd';

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Builds the sidecar of an encoded ladder from the sizes and qualities of its segments by Representation@id. */
export function buildSidecar(
  source: Source,
  ladder: readonly EncodedRung[],
  sizes: ReadonlyMap<string, readonly Bytes[]>,
  quality: ReadonlyMap<string, readonly number[]>,
): QualitySidecar {
  const duration = seconds(source.frames / source.frameRate);
  const measured = (id: string, nominal: Kbps): Measured => {
    const segment_bytes = sizes.get(id) ?? [];
    const average = meanSegmentBitrate(segment_bytes, duration);
    return {
      bitrate_kbps: honestBitrate(nominal, average),
      average_kbps: rounded(average, 1) as Kbps,
      segment_bytes,
    };
  };
  const video = ladder.map((rung): [string, VideoRepresentation] => [
    rung.id,
    {
      media: 'video',
      ...rungSize(rung, source),
      ...measured(rung.id, rung.bitrate),
      segment_ssim_db: (quality.get(rung.id) ?? []).map((ssim) => rounded(ssim, 3)),
    },
  ]);
  const audio: [string, AudioRepresentation][] = source.sound
    ? [[AUDIO_ID, { media: 'audio', ...measured(AUDIO_ID, AUDIO_KBPS) }]]
    : [];
  const reference = topSize(ladder, source);
  return {
    version: 1,
    title: source.title,
    ...(source.credit !== undefined && { credit: source.credit }),
    ...(source.license !== undefined && { license: source.license }),
    source: source.fingerprint,
    segment_duration_s: segmentDurations(source.frames, source.frameRate).map(
      (duration) => rounded(duration, 6) as Seconds,
    ),
    ssim: {
      reference_width: reference.width,
      reference_height: reference.height,
      every_nth_frame: SSIM_EVERY_NTH_FRAME,
    },
    representations: Object.fromEntries<SidecarRepresentation>([...video, ...audio]),
  };
}
