import type { DrawnNetwork } from '../../network/links/trace-files/drawn-network.ts';
import { generators } from '../../network/links/trace-files/generators.ts';
import { readJsonLinks, readTraces, type TracedLink } from '../../network/links/trace-files/read-traces.ts';
import { tracesHash } from '../../network/links/trace-files/traces-hash.ts';
import type { DrawnSet, Protocol } from './protocol.ts';
import { shortened } from './registered.ts';
import { findUsed } from './used-traces.ts';

/** The traces of a protocol's sets, by set. */
export type TraceSets = Readonly<Record<string, readonly TracedLink[]>>;

/**
 * The most networks that may be drawn for each network of a set, because networks outside of the band are discarded.
 */
const MOST_DRAWN = 50;

/**
 * Draws the sets with a generator, and reads the other sets from `files`, which has a file for each set. Throws an
 * Error of one line for a set without a file, or a file without a set.
 */
export async function readSets(
  { sets }: Protocol,
  files: Readonly<Record<string, string>>,
): Promise<TraceSets> {
  const unasked = Object.keys(files).find((name) => !sets[name] || sets[name].drawn);
  if (unasked !== undefined)
    throw new Error(`--traces: the protocol has no set '${unasked}' that comes from a file`);
  const read = Object.entries(sets).map(async ([name, { drawn }]) => {
    if (drawn) return [name, drawSet(drawn)] as const;
    const file = files[name];
    if (file === undefined) throw new Error(`--traces: expected ${name}=FILE for the set '${name}'`);
    return [name, await readTraces(file)] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** Returns the protocol with the hashes of its sets. Throws an Error of one line if a set already has another hash. */
export async function withHashes(protocol: Protocol, traces: TraceSets): Promise<Protocol> {
  const filled = Object.entries(protocol.sets).map(async ([name, set]) => {
    const sha256 = await tracesHash(traces[name] ?? []);
    if (set.sha256 !== null && set.sha256 !== sha256)
      throw new Error(
        `set '${name}' has the hash ${shortened(sha256)}, but its protocol has ${shortened(set.sha256)}: the traces differ`,
      );
    return [name, { ...set, sha256 }] as const;
  });
  return { ...protocol, sets: Object.fromEntries(await Promise.all(filled)) };
}

/** Throws an Error of one line if one of the traces was used to choose the project's constants, or in a rehearsal. */
export async function requireUnused(traces: TraceSets): Promise<void> {
  for (const [name, own] of Object.entries(traces)) {
    const used = await findUsed(own);
    if (used.length > 0)
      throw new Error(
        `set '${name}': ${used.length} of its ${own.length} traces were used to choose constants or in a rehearsal, such as ${used[0]}; --rehearse plays them and confirms nothing`,
      );
  }
}

function drawSet({ count, seed, mean_mbps: [least, most], generator = 'lab' }: DrawnSet): TracedLink[] {
  const inBand = generators[generator](MOST_DRAWN * count, seed).filter((network) => {
    const mbps = meanMbps(network);
    return mbps >= least && mbps < most;
  });
  if (inBand.length < count)
    throw new Error(
      `of ${MOST_DRAWN * count} drawn networks ${inBand.length} have ${least} to ${most} Mbit/s, fewer than ${count}`,
    );
  return readJsonLinks(
    inBand
      .slice(0, count)
      .map((network) => JSON.stringify(network))
      .join('\n'),
    'drawn',
  );
}

function meanMbps({ periods }: DrawnNetwork): number {
  const [kbits, ms] = periods.reduce(
    ([sum, time], [duration_ms, kbps]) => [sum + (kbps * duration_ms) / 1000, time + duration_ms],
    [0, 0],
  );
  return kbits / ms;
}
