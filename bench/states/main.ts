import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { interval95 } from '../../emulation/ground/statistics/bootstrap.ts';
import { seededRandom } from '../../emulation/ground/statistics/random.ts';
import type { RateStep } from '../../emulation/network/links/link.ts';
import { drawNetworks } from '../../emulation/network/links/trace-files/drawn-network.ts';
import { readJsonLines } from '../../emulation/network/links/trace-files/json-lines.ts';
import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { measureClustering, splitEpochs, clusteringRatio, type Clustering } from './clustering.ts';

/** As in Figure 2.3 of the thesis. */
const EPOCH_S = 6;
/** The streams of the collection have at least so much, and are repeated afterwards. */
const SECONDS = 120;
const SEED = 23;
/** A quarter of them are of one kind. */
const DRAWN = 480;

const commandLine = defineCommandLine({
  command: 'npm run bench -- states',
  usage: '[--traces FOLDER]',
  about:
    'Whether throughput has discrete states (thesis, Figure 2.3): how many times as many pairs of 6-second epochs of a session have the same throughput, within 5%, as without states. On drawn networks that have states, and that have none; with --traces, on puffer.jsonl and oboe.jsonl there.',
  options: { traces: { valueName: 'FOLDER', about: 'of the traces' } },
});
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  const { traces } = values;
  const drawn = drawNetworks(DRAWN, SEED);
  const ofKind = (kind: string) =>
    drawn
      .filter(({ name }) => name.startsWith(`${kind}-${SEED}-`))
      .map(({ periods }) => periods.map(([ms, kbps]) => ({ seconds: ms / 1000, mbps: kbps / 1000 })));
  const corpora = {
    jumping: clusterings(ofKind('jumping')),
    wandering: clusterings(ofKind('wandering')),
    ...(traces !== undefined && {
      puffer: clusterings(await stepsIn(join(traces, 'puffer.jsonl'))),
      oboe: clusterings(await stepsIn(join(traces, 'oboe.jsonl'))),
    }),
  };
  const { jumping, wandering, puffer, oboe } = corpora;
  console.log('| sessions | number | same pairs, times those without states |\n| --- | --- | --- |');
  for (const [name, sessions] of Object.entries(corpora))
    console.log(`| ${name} | ${sessions.length} | ${compared(sessions)} |`);
  if (!puffer || !oboe) return;
  console.log(`| puffer less jumping | | ${compared(puffer, jumping)} |`);
  console.log(`| puffer less wandering | | ${compared(puffer, wandering)} |`);
  console.log(`| oboe less puffer | | ${compared(oboe, puffer)} |`);
}

const stepsIn = async (file: string): Promise<(readonly RateStep[])[]> =>
  readJsonLines(await readFile(file, 'utf8'), file).map(({ steps }) => steps);

const clusterings = (sessions: readonly (readonly RateStep[])[]): Clustering[] =>
  sessions.flatMap((steps) => measureClustering(splitEpochs(steps, EPOCH_S, SECONDS)) ?? []);

/** The ratio, or by how much it is above another, with the bootstrap's 95% interval over sessions. */
function compared(sessions: readonly Clustering[], others?: readonly Clustering[]): string {
  const random = seededRandom(SEED);
  const resampled = (all: readonly Clustering[]) =>
    all.flatMap(() => all[Math.floor(random() * all.length)] ?? []);
  const difference = (one: readonly Clustering[], other?: readonly Clustering[]) =>
    clusteringRatio(one) - (other ? clusteringRatio(other) : 0);
  const interval = interval95(() => difference(resampled(sessions), others && resampled(others)));
  const [low, high] = interval ?? [NaN, NaN];
  return `${difference(sessions, others).toFixed(2)} (${low.toFixed(2)}, ${high.toFixed(2)})`;
}
