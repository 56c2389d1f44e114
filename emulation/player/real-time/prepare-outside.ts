import type { OnProgress } from '../../../system/progress.ts';
import { ensureDefaultContent } from '../../../media/sources/footage.ts';
import { DEFAULT_EDGE, labEdge, type LabEdgeName } from '../../network/edges/index.ts';

/** Makes and installs what sessions need from the network, for a machine that has none. */
export async function prepareOutside(edge: LabEdgeName | undefined, print: OnProgress): Promise<void> {
  await ensureDefaultContent({ onProgress: print });
  await (await labEdge(edge ?? DEFAULT_EDGE)).prepare(print);
}
