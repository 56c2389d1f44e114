import type { Size } from '../ladder.ts';
import { steadyPicture, steadySound, type Source } from './source.ts';

const FRAME_RATE = 24;

export interface SyntheticOptions extends Size {
  readonly seconds: number;
  /** Strength of the moving grain, 0 to 100, on which the encoder spends most bits. */
  readonly grain: number;
}

/**
 * Returns test content that ffmpeg generates: Conway's Game of Life in drifting colors, with noise, a clock, and a beep
 * every second to check that audio and video are in sync.
 */
export function syntheticSource({ seconds, width, height, grain }: SyntheticOptions): Source {
  const frames = Math.round(seconds * FRAME_RATE);
  const colors = 'life_color=0xffe9a8:death_color=0xd1495b:mold_color=0x102542';
  const cells = `life=s=160x90:r=${FRAME_RATE}:mold=24:ratio=0.28:seed=42:stitch=1:${colors}`;
  // `testsrc2` shows the time at its top left without a font.
  const clock = `testsrc2=s=320x180:r=${FRAME_RATE}`;
  const clockWidth = Math.round(width / 4);
  // Skip the first seconds, in which most of the cells die, because they would need three times as many bits as the
  // rest.
  const picture = [
    `[0:v]trim=start=8,setpts=PTS-STARTPTS,scale=${width}:${height}:flags=bicubic,noise=alls=${grain}:allf=t,hue=H=0.35*t[cells]`,
    `[1:v]crop=98:16:3:4,scale=${clockWidth}:-1[clock]`,
    `[cells][clock]overlay=W-w-w/8:H-h-w/8,${steadyPicture(FRAME_RATE, frames)}[picture]`,
  ].join(';');
  return {
    title: 'Synthetic film',
    inputs: [cells, clock, 'sine=frequency=220:beep_factor=4:sample_rate=48000'].flatMap((input) => [
      ...['-f', 'lavfi', '-i', input],
    ]),
    inputCount: 3,
    picture,
    sound: `[2:a]volume=0.5,${steadySound(frames / FRAME_RATE)}[sound]`,
    width,
    height,
    frameRate: FRAME_RATE,
    frames,
    fingerprint: `synthetic ${cells} ${picture}`,
  };
}
