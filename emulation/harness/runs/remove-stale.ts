import { missingLiveReason } from '../../../p4/switch/live/missing-live-reason.ts';
import { removeStaleCongestionControls } from '../../network/congestion/congestion-controls.ts';
import { removeStaleLinks } from '../../network/links/stale.ts';

/** Removes the leftovers of killed labs: namespaces and folders of links, and congestion controls in the kernel. */
export async function removeStale(): Promise<void> {
  await removeStaleLinks();
  await removeStaleCongestionControls();
}

/**
 * Prepares this machine for the live switch. Throws an Error of one line if the switch cannot run; `otherwise` is an
 * alternative to root for the message, such as ', or with --clock virtual'.
 */
export async function prepareLiveSwitch(otherwise = ''): Promise<void> {
  const missing = missingLiveReason();
  if (missing !== undefined)
    throw new Error(`the live switch cannot run here: ${missing}; run it as root on Linux${otherwise}`);
  await removeStale();
}
