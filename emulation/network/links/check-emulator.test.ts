import { describe, expect, it } from 'vitest';
import { checkEmulator } from './check-emulator.ts';
import { PAPER_LINK, type Link } from './link.ts';

const drop = (packets: number) => ({ threshold: { packets, action: 'drop' } }) as const;

describe('checkEmulator', () => {
  // One bandwidth-delay product is 25,000 bytes or 16.5 frames of 1514 bytes; the queue holds 66 frames.
  it.each<Partial<Link>>([
    {},
    { jitter_ms: 2.5 },
    { rate: { kind: 'poisson', mbps: 40 }, weights: [3, 1], loss: 0.01 },
    drop(17),
    drop(65),
  ])('accepts %j for the switch', (fields) => {
    expect(() => checkEmulator({ ...PAPER_LINK, ...fields }, 'p4')).not.toThrow();
  });

  it.each<[Partial<Link>, string]>([
    [{ jitter_ms: 2.6 }, '--jitter is 2.6 ms, more than the delay of 2.5 ms each way, half the round trip'],
    [
      drop(16),
      '--drop-above is 16 packets, but must be at least 17, one bandwidth-delay product, and at most 65',
    ],
    [drop(66), '--drop-above is 66 packets, but must be at least 17'],
    [{ ...drop(20), queue_bytes: 25_000 }, '--drop-above needs a queue of 27252 bytes or more: --queue'],
  ])('refuses %j', (fields, message) => {
    expect(() => checkEmulator({ ...PAPER_LINK, ...fields }, 'p4')).toThrow(message);
  });

  it.each<[Partial<Link>, string]>([
    [
      { jitter_ms: 1 },
      '--jitter needs the P4 switch, because mahimahi does not support it: run ... --link p4',
    ],
    [{ threshold: { packets: 20, action: 'mark' } }, '--mark-above needs the P4 switch'],
    [{ weights: [3, 1] }, '--weights needs the P4 switch'],
    [{ rate: { kind: 'poisson', mbps: 40 } }, 'a Poisson rate needs the P4 switch: run ... --link p4'],
  ])('refuses %j for mahimahi', (fields, message) => {
    expect(() => checkEmulator({ ...PAPER_LINK, ...fields }, 'mahimahi')).toThrow(message);
  });

  it('accepts random loss for mahimahi', () => {
    expect(() => checkEmulator({ ...PAPER_LINK, loss: 0.01 }, 'mahimahi')).not.toThrow();
  });
});
