import { describe, expect, it } from 'vitest';
import { readQueueDepth } from './queue-depth.ts';

describe('readQueueDepth', () => {
  it('follows a queue of 3000 bytes, by hand', () => {
    const log = [
      '# mahimahi mm-link',
      '# init timestamp: 1000',
      '0 + 1500', // the queue holds 1500
      '0 + 1500', // the queue holds 3000
      '1 + 1500', // dropped, because the queue would hold 4500
      '2 # 1504',
      '2 - 1500 2', // the first packet leaves; the queue holds 1500
      '3 + 1400', // the queue holds 2900
      '3 + 1500', // dropped, because the queue would hold 4400
      '4 # 1504',
      '4 - 1500 4', // the second packet leaves
      '5 # 1504',
      '5 - 1400 2',
      '6 # 1504',
      '7 + 1500',
      '8 # 1504',
      '8 - 1500 1',
      '9 + 1500', // not known to be dropped, because nothing leaves later
    ].join('\n');
    expect(readQueueDepth(log)).toEqual({
      dropped_packets: 2,
      deepest_bytes: 3000,
      least_refused_bytes: 4400,
    });
  });

  it('is empty for a link without traffic', () => {
    expect(readQueueDepth('# init timestamp: 1\n5 # 1504\n')).toEqual({
      dropped_packets: 0,
      deepest_bytes: 0,
      least_refused_bytes: null,
    });
  });
});
