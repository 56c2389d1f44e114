import { serveWork } from '../../../system/serve-work.ts';
import { playedParts } from './virtual-time.ts';
import { TrialPlayer } from './trial-player.ts';

serveWork(playedParts, async (course) => {
  const player = await TrialPlayer.of(course);
  return (part) => {
    player.write(part);
    return undefined;
  };
});
