import { removeStaleCongestionControls } from '../../network/congestion/congestion-controls.ts';
import { removeStaleLinks } from '../../network/links/stale.ts';

/** Removes what labs that were killed have left: namespaces and folders of links, and congestion controls in the kernel. */
export async function removeStale(): Promise<void> {
  await removeStaleLinks();
  await removeStaleCongestionControls();
}
