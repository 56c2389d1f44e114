import { describe, expect, it } from 'vitest';
import { drawNetworks } from './drawn-network.ts';
import { readJsonLines } from './json-lines.ts';

const networks = drawNetworks(80, 1);
const rates = ({ periods }: (typeof networks)[number]) => periods.map(([, kbps]) => kbps);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('drawNetworks', () => {
  it('draws the same networks for the same seed, and others for another seed', () => {
    expect(drawNetworks(80, 1)).toEqual(networks);
    expect(drawNetworks(80, 2).map(rates)).not.toEqual(networks.map(rates));
  });

  it('draws networks that the lab can read as traces, with unique names', () => {
    const read = readJsonLines(networks.map((network) => JSON.stringify(network)).join('\n'), 'drawn');
    expect(new Set(read.map(({ name }) => name)).size).toBe(80);
    expect(read.every(({ duration_ms }) => duration_ms === 300_000)).toBe(true);
  });

  it('draws slow networks, which cannot carry the top rung, and fast networks', () => {
    const slow = networks.filter((network) => mean(rates(network)) < 1500);
    expect(slow.length).toBeGreaterThan(15);
    expect(slow.length).toBeLessThan(50);
  });

  it('draws outages of nearly no rate in some networks only', () => {
    const isOut = (network: (typeof networks)[number]) =>
      rates(network).filter((kbps) => kbps < mean(rates(network)) * 0.03).length > 2;
    const share = (hasOutages: boolean) => {
      const kind = networks.filter(({ name }) => name.includes('outages') === hasOutages);
      return kind.filter(isOut).length / kind.length;
    };
    expect(share(true)).toBeGreaterThan(0.6);
    expect(share(false)).toBeLessThan(0.15);
  });
});
