import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { pacedAcks, type Variant } from './paced-acks.ts';

const PACE_KBPS = 10_000;
const VARIANTS: Readonly<Record<string, Variant>> = {
  '10 Mbit/s': { pace_kbps: PACE_KBPS },
  'the same, every packet acknowledged': { pace_kbps: PACE_KBPS, acksAll: true },
  'the same, a link with slots of 1 ms': { pace_kbps: PACE_KBPS, slot_ms: 1 },
  'the same, packets sent singly': { pace_kbps: PACE_KBPS, least_packets: 1 },
  'the same, packets sent by four': { pace_kbps: PACE_KBPS, least_packets: 4 },
  '5 Mbit/s': { pace_kbps: 5000 },
  '20 Mbit/s': { pace_kbps: 20_000 },
};

const commandLine = defineCommandLine({
  command: 'npm run bench -- acks',
  about:
    'What delayed ACKs add to the RTT of paced responses: the edge over the P4 switch at 40 Mbit/s and 5 ms. Needs root; npm run lab -- machine -- npm run bench -- acks measures the same in virtual time.',
  options: {},
});
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  commandLine.parse(args);
  console.log('| paced at | RTT, median, ms | odd, % of ACKs |\n| --- | --- | --- |');
  for (const [name, variant] of Object.entries(VARIANTS)) {
    const { rtt_ms, odd_pct } = await pacedAcks(variant);
    console.log(`| ${name} | ${rtt_ms.toFixed(2)} | ${odd_pct.toFixed(0)} |`);
  }
}
