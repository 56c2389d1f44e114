import { expect, it } from 'vitest';
import { DeliveryRate } from './delivery-rate.ts';

it("counts the packets that arrive between a packet's sending and its ACK", () => {
  const rate = new DeliveryRate();
  const sent = Array.from({ length: 20 }, (_, ms) => ({ ms, stamp: rate.stamp(ms, ms === 0) }));
  const samples = sent.map(({ ms, stamp }) => {
    rate.arrived(stamp, ms);
    return rate.sample(ms + 20, 1);
  });
  const { packets, interval_ms } = samples.at(-1) ?? { packets: NaN, interval_ms: NaN };
  // The last packet was sent at 19 ms, before the first ACK, so its interval begins at 0 ms, when the first packet was
  // sent. It ends with the last packet's ACK, at 39 ms.
  expect([packets, interval_ms]).toEqual([20, 39]);
});

it('uses the send interval if the ACKs arrived faster', () => {
  const rate = new DeliveryRate();
  rate.arrived(rate.stamp(0, true), 0);
  expect(rate.sample(10, 10)).toMatchObject({ packets: 1, interval_ms: 10 });
  const [early, late] = [rate.stamp(12, false), rate.stamp(40, false)];
  rate.arrived(early, 12);
  // The ACK interval, from the ACK at 10 ms to 45 ms, is longer than the send interval, from 0 to 12 ms.
  expect(rate.sample(45, 1)).toMatchObject({ packets: 1, interval_ms: 35 });
  rate.arrived(late, 40);
  // The send interval of the two packets, from 0 to 40 ms, is longer than their ACK interval, from 10 to 46 ms.
  expect(rate.sample(46, 1)).toMatchObject({ packets: 2, interval_ms: 40 });
  expect(rate.sample(47, 1)).toBeUndefined();
});

it('ignores samples shorter than a round trip, and marks samples while the sender held back', () => {
  const rate = new DeliveryRate();
  rate.arrived(rate.stamp(0, true), 0);
  expect(rate.sample(5, 10)).toBeUndefined();
  rate.hold(1);
  rate.arrived(rate.stamp(5, false), 5);
  expect(rate.sample(20, 10)).toMatchObject({ held: true });
  rate.arrived(rate.stamp(20, false), 20);
  expect(rate.sample(40, 10)).toMatchObject({ held: true });
  rate.arrived(rate.stamp(40, false), 40);
  expect(rate.sample(60, 10)).toMatchObject({ held: false });
});
