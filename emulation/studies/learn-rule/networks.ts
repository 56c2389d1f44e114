import { readFileSync, writeFileSync } from 'node:fs';
import { errorLine } from '../../../system/error-line.ts';
import { asFields, asList, asNumber, asText } from '../../ground/files/check.ts';
import { drawNetworks, type DrawnNetwork } from '../../network/links/trace-files/drawn-network.ts';
import { readTraces, type TracedLink } from '../../network/links/trace-files/read-traces.ts';

interface NetworkPart {
  readonly traces: readonly string[];
  readonly drawn: { readonly count: number; readonly seed: number };
}

export interface AskedNetworks {
  /** A file with several parts, such as models/networks.json. */
  readonly list: string;
  readonly part: string;
  /** A file or folder of traces in JSON Lines, which has all traces of the part. */
  readonly traces: string;
  readonly out: string;
}

/**
 * Writes the networks of one part of a list as JSON Lines: traces by name, and networks drawn with a seed. A list has
 * one part for training and another for evaluation.
 */
export async function writeNetworks({ list, part: name, traces, out }: AskedNetworks): Promise<void> {
  const { traces: asked, drawn } = readPart(list, name);
  const known = new Map((await readTraces(traces)).map((trace) => [trace.name, trace]));
  const found = asked.map((each) => {
    const trace = known.get(each);
    if (!trace)
      throw new Error(`--traces: ${traces} has no '${each}', which part '${name}' of ${list} asks for`);
    return toDrawnNetwork(trace);
  });
  const networks = [...found, ...drawNetworks(drawn.count, drawn.seed)];
  writeFileSync(out, networks.map((network) => `${JSON.stringify(network)}\n`).join(''));
  console.log(`${out}: ${found.length} traces and ${drawn.count} drawn networks`);
}

function readPart(file: string, name: string): NetworkPart {
  try {
    const parts = asFields(JSON.parse(readFileSync(file, 'utf8')), 'a list of networks');
    const part = parts[name];
    if (part === undefined)
      throw new Error(`it has no part '${name}'; there are ${Object.keys(parts).join(', ')}`);
    const fields = asFields(part, name);
    const drawn = asFields(fields.drawn, `${name}: drawn`);
    return {
      traces: asList(fields.traces, `${name}: traces`).map((each) => asText(each, `${name}: a trace`)),
      drawn: { count: asNumber(drawn.count, `${name}: count`), seed: asNumber(drawn.seed, `${name}: seed`) },
    };
  } catch (error) {
    throw new Error(`${file}: ${errorLine(error)}`, { cause: error });
  }
}

/** Converts a trace to the format of a line of a trace file. */
function toDrawnNetwork({ name, link }: TracedLink): DrawnNetwork {
  const { rate, rtt_ms } = link;
  if (rate.kind !== 'schedule') throw new Error(`${name} is in mahimahi's format; expected JSON Lines`);
  return { name, periods: rate.steps.map(({ seconds, mbps }) => [seconds * 1000, mbps * 1000, rtt_ms]) };
}
