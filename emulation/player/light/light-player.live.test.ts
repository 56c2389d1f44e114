import { expect, it } from 'vitest';
import { missingLiveReason } from '../../../p4/switch/live/missing-live-reason.ts';
import { lightPlayer } from './light-player.ts';

const reason = missingLiveReason();

it.skipIf(reason).each(['light', 'page'] as const)(
  `the %s viewer starts, and waits for its session${reason ? ` (skipped: ${reason})` : ''}`,
  async (kind) => {
    const viewer = await lightPlayer(process.pid, kind);
    await expect(viewer.close()).resolves.toBeUndefined();
  },
);
