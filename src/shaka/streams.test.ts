import { describe, expect, it } from 'vitest';
import { seconds } from '../units.ts';
import type { Variant } from './player.ts';
import { findAlternatives, IndexSizes, makeStreamLadder } from './streams.ts';
import { segment, segmentIndex, stream, variant } from './testing/player.ts';

describe('the ladder of streams', () => {
  it('has the bitrates of the representations in DASH, for any order of the variants', () => {
    const audio = stream('audio', 'a', { bandwidth: 96_000 });
    const variants = [3_000_000, 700_000].map((bandwidth) =>
      variant(stream('video', `v${bandwidth}`, { bandwidth }), audio),
    );
    expect(makeStreamLadder(variants, 'video')).toEqual([
      { id: 'v700000', bitrate_kbps: 700 },
      { id: 'v3000000', bitrate_kbps: 3000 },
    ]);
    expect(makeStreamLadder(variants.slice(0, 1), 'audio')).toEqual([{ id: 'a', bitrate_kbps: 96 }]);
  });

  it.each([
    ['takes the usual bitrate of an audio rendition off, which HLS does not give', {}, 1_000_000, 872],
    ['takes no more than half off', {}, 200_000, 100],
    [
      'takes nothing off where the segments contain the audio',
      { isAudioMuxedInVideo: true },
      1_000_000,
      1000,
    ],
  ])('%s', (_, audio, bandwidth, bitrate_kbps) => {
    const one = { bandwidth, video: stream('video', 'v'), audio: stream('audio', 'a', audio) } as Variant;
    expect(makeStreamLadder([one], 'video')).toEqual([{ id: 'v', bitrate_kbps }]);
  });

  it('has the bitrate of an audio-only stream, and no video rungs', () => {
    const one = { bandwidth: 64_000, video: null, audio: stream('audio', 'a') } as Variant;
    expect(makeStreamLadder([one], 'audio')).toEqual([{ id: 'a', bitrate_kbps: 64 }]);
    expect(makeStreamLadder([one], 'video')).toBeUndefined();
  });
});

describe('the alternatives to a variant', () => {
  const [low, high] = [stream('video', 'low', { bandwidth: 1 }), stream('video', 'high', { bandwidth: 2 })];
  const [quiet, loud] = [stream('audio', 'quiet'), stream('audio', 'loud')];

  it('keep the stream of the other type in DASH', () => {
    const [a, b, c, d] = [variant(low, quiet), variant(low, loud), variant(high, quiet), variant(high, loud)];
    const all = [a, b, c, d];
    expect(findAlternatives(all, b, 'video')).toEqual([b, d]);
    expect(findAlternatives(all, b, 'audio')).toEqual([a, b]);
  });

  it('change the audio in HLS if the video is available only with other audio', () => {
    const [a, b] = [variant(low, quiet), variant(high, loud)];
    expect(findAlternatives([a, b], a, 'video')).toEqual([a, b]);
    expect(findAlternatives([a, b], a, 'audio')).toEqual([a]);
  });
});

describe('sizes of segments', () => {
  const at = (start: number, bytes: readonly [number, number | null]) =>
    segment({
      ...{ getStartTime: start, getEndTime: start + 2 },
      ...{ getStartByte: bytes[0], getEndByte: bytes[1] },
    });

  it('come from byte ranges, even after a live stream has removed its first segments', () => {
    const index = new IndexSizes();
    const video = stream('video', 'v', {
      segmentIndex: segmentIndex(3, [at(6, [0, 999]), at(8, [1000, 2499])]),
    });
    index.learn(video);
    expect(index.sizes.upcoming('v', seconds(8), seconds(2))).toMatchObject([{ size: 1500, duration: 2 }]);
    const segments = [at(8, [1000, 2499]), at(10, [2500, 2599])];
    index.learn(stream('video', 'v', { segmentIndex: segmentIndex(4, segments) }));
    expect(index.sizes.upcoming('v', seconds(10), seconds(2))).toMatchObject([{ size: 100 }]);
  });

  it('are unknown for whole files, and before an index has been loaded', () => {
    const index = new IndexSizes();
    index.learn(stream('video', 'none'));
    index.learn(stream('video', 'files', { segmentIndex: segmentIndex(0, [at(0, [0, null])]) }));
    expect(index.sizes.upcoming('none', seconds(0), seconds(2))).toBeUndefined();
    expect(index.sizes.upcoming('files', seconds(0), seconds(2))).toBeUndefined();
  });
});
