import { expect, it } from 'vitest';
import { drawMarkovNetworks } from './markov-network.ts';

const networks = drawMarkovNetworks(200, 1);
const rates = ({ periods }: (typeof networks)[number]) => periods.map(([, kbps]) => kbps);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

it('draws the same networks for the same seed, and others for another seed', () => {
  expect(drawMarkovNetworks(200, 1)).toEqual(networks);
  expect(drawMarkovNetworks(200, 2).map(rates)).not.toEqual(networks.map(rates));
});

it('has ten equally likely rates between the lowest and the highest rate, so that the mean is half of the highest', () => {
  // If the highest rate is log-uniform between 2 and 50 Mbit/s, its mean is 48 / ln 25 = 14.9. The middle between this
  // and the lowest rate, 0.2 Mbit/s, is 7.6.
  expect(mean(networks.map((network) => mean(rates(network)))) / 1000).toBeGreaterThan(6);
  expect(mean(networks.map((network) => mean(rates(network)))) / 1000).toBeLessThan(9.2);
});

it('moves to near rates more often than to distant ones', () => {
  const calm = networks.map(rates).map((values) => {
    const span = Math.max(...values) - Math.min(...values);
    const steps = values.slice(1).map((value, index) => Math.abs(value - (values[index] ?? NaN)) / span);
    return {
      near: steps.filter((step) => step < 0.25).length,
      far: steps.filter((step) => step > 0.6).length,
    };
  });
  expect(mean(calm.map(({ near }) => near))).toBeGreaterThan(20 * mean(calm.map(({ far }) => far)));
});
