import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { kbps, seconds, type Bytes } from '../src/units.ts';
import { FFMPEG_MANIFEST, encodeArguments, type RungJob } from './encode.ts';
import { AUDIO_ID, correctedAsk, segmentDurations, topSize, type EncodedRung } from './ladder.ts';
import { meanSegmentBitrate, emptyFolders, segmentFile, segmentSizes } from './segments.ts';
import type { Source } from './sources/source.ts';

interface Step {
  readonly task: string;
  /** The amount of work, where 1 is one encode of the whole ladder. */
  readonly share: number;
  /** Whether this is a repetition, which the estimate of the remaining time did not include. */
  readonly extra?: boolean;
}

/** Runs ffmpeg in the ladder's folder. */
export type Run = (step: Step, args: string[]) => Promise<void>;

/**
 * The maximum number of times that a rung with a wrong rate is encoded again. The first repetition nearly always
 * succeeds.
 */
const MAX_CORRECTIONS = 2;

/**
 * Encodes every rung and the audio into `folder`, and repeats rungs that missed their rate. Returns the sizes of all
 * segments by id.
 */
export async function encodeLadder(
  source: Source,
  ladder: readonly EncodedRung[],
  folder: string,
  run: Run,
): Promise<Map<string, Bytes[]>> {
  const top = topSize(ladder, source);
  const duration = seconds(source.frames / source.frameRate);
  const count = segmentDurations(source.frames, source.frameRate).length;
  const sizes = new Map<string, Bytes[]>();
  const encode = async (task: string, jobs: readonly RungJob[], extra: boolean): Promise<void> => {
    const ids = [...jobs.map(({ rung }) => rung.id), ...(!extra && source.sound ? [AUDIO_ID] : [])];
    await emptyFolders(folder, ids);
    const step = { task, share: jobs.length / ladder.length, extra };
    await run(step, encodeArguments(source, top, jobs, !extra));
    for (const id of ids) {
      const segments = await segmentSizes(folder, id, count);
      if (!segments)
        throw new Error(
          `${source.title} cannot be encoded: ffmpeg decoded too little of it for ${count} segments`,
        );
      sizes.set(id, segments);
      await rm(join(folder, id, FFMPEG_MANIFEST));
      // The encoder's priming shifts audio by 6.5 ms, which may push a last packet past the end of the video.
      await rm(join(folder, id, segmentFile(count + 1)), { force: true });
    }
  };

  let jobs: RungJob[] = ladder.map((rung) => ({ rung, ask: kbps(Math.round(rung.bitrate * rung.firstAsk)) }));
  await encode(`Encoding ${ladder.length} rungs of ${Math.round(duration)} s`, jobs, false);
  for (let correction = 1; correction <= MAX_CORRECTIONS; correction++) {
    jobs = jobs.flatMap(({ rung, ask }) => {
      const next = correctedAsk(rung.bitrate, ask, meanSegmentBitrate(sizes.get(rung.id) ?? [], duration));
      return next === undefined ? [] : [{ rung, ask: next }];
    });
    if (jobs.length === 0) break;
    const rates = jobs.map(({ rung }) => rung.bitrate).join(', ');
    await encode(`Correcting the rate of ${rates} kbit/s`, jobs, true);
  }
  return sizes;
}
