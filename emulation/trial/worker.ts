import { onEndingSignal } from '../../system/ending-signals.ts';
import { lineOf } from '../../system/line-of.ts';
import { TrialPlayer, type Course, type Part } from './trial-player.ts';

/** The answer to a part: nothing, or what went wrong. */
export interface Written {
  readonly error?: string;
}

/** A process that plays parts of a trial, one after the other; the first message is the course. */
let player: Promise<TrialPlayer> | undefined;

async function answer(message: Course | Part): Promise<void> {
  if ('networks' in message) {
    player = TrialPlayer.of(message);
    // Its failure is the answer to each part.
    player.catch(() => undefined);
    return;
  }
  let written: Written = {};
  try {
    if (!player) throw new Error('a part before the course');
    (await player).write(message);
  } catch (error) {
    written = { error: lineOf(error) };
  }
  process.send?.(written);
}

process.on('message', (message) => void answer(message as Course | Part));
// Ignored here, since the parent handles them, and lets go of this process.
onEndingSignal(() => undefined);
process.on('disconnect', () => process.exit());
