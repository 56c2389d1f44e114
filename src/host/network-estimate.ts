import type { PlayerAttachment } from './attachment.ts';
import type { PageSession } from './page-session.ts';

/**
 * Returns the network's throughput, bit/s, with which to replace a player's own estimate, because a player mistakes the
 * throughput of paced downloads for the network's. Undefined if nothing is paced or known.
 */
export const readNetworkEstimate = (attachment: PlayerAttachment<PageSession>): number | undefined =>
  attachment.guarded(() => {
    const { core } = attachment.currentSession;
    const estimate_kbps = core.options.pacing ? core.estimate() : undefined;
    return estimate_kbps && 1000 * estimate_kbps;
  });
