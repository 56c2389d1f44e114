import { describe, expect, it } from 'vitest';
import { seconds } from '../units.ts';
import {
  bufferLengthAt,
  choosableLevels,
  findMediaType,
  isLowLatency,
  makeLevelLadder,
  makeRenditionLadder,
  playlistSizes,
} from './levels.ts';
import type { LevelDetails, MediaRequest, Part } from './player.ts';
import { fragment, level, player, rendition, type Some } from './testing/player.ts';

const details = (more: Some<LevelDetails> = {}): LevelDetails =>
  ({ ...{ live: false, partList: null, fragments: [] }, ...more }) as unknown as LevelDetails;

describe('makeLevelLadder', () => {
  it('uses the average bitrate of a level, minus that of an audio rendition with its own playlist', () => {
    const levels = [
      level('a', 800_000, {
        attrs: { 'STABLE-VARIANT-ID': 'a', 'AVERAGE-BANDWIDTH': '600000' },
        audioGroups: ['audio'],
      }),
      level('b', 3_000_000, { audioGroups: ['audio'] }),
    ];
    const hls = player({ levels, allAudioTracks: [rendition('en')] });
    expect(makeLevelLadder(hls, [0, 1])).toEqual([
      { id: 'a', bitrate_kbps: 472 },
      { id: 'b', bitrate_kbps: 2872 },
    ]);
  });

  it('does not reduce the bitrate if the audio is in the same segments', () => {
    const levels = [level('a', 800_000), level('b', 3_000_000, { audioGroups: ['audio'] })];
    const hls = player({ levels, allAudioTracks: [rendition('en', { url: '' })] });
    expect(makeLevelLadder(hls, [0, 1])?.map(({ bitrate_kbps }) => bitrate_kbps)).toEqual([800, 3000]);
  });

  it('subtracts at most half of a low bitrate for audio', () => {
    const levels = [level('a', 200_000, { audioGroups: ['audio'] })];
    const hls = player({ levels, allAudioTracks: [rendition('en')] });
    expect(makeLevelLadder(hls, [0])?.[0].bitrate_kbps).toBe(100);
  });

  it('uses the index for levels that share an id, such as the same video with two audio groups', () => {
    const levels = ['l', 'l', 'h'].map((id, index) =>
      level(`${index}`, 1e6 + index, { attrs: { 'STABLE-VARIANT-ID': id } }),
    );
    const ids = makeLevelLadder(player({ levels }), [0, 1, 2])?.map(({ id }) => id);
    expect(ids).toEqual(['level-0', 'level-1', 'h']);
  });

  it('uses the index for levels without an id, and returns no ladder without bitrates', () => {
    const hls = player({ levels: [level('', 0, { attrs: {} }), level('', 5e5, { attrs: {} })] });
    expect(makeLevelLadder(hls, [1])?.[0].id).toBe('1');
    expect(makeLevelLadder(hls, [0])).toBeUndefined();
  });
});

it('assumes the bitrate of stereo AAC for an audio rendition without a bitrate', () => {
  const request = { frag: fragment({ type: 'audio', level: 1 }) } as MediaRequest;
  const hls = player({ audioTracks: [rendition('en'), rendition('de')] });
  expect(makeRenditionLadder(hls, request)).toEqual([{ id: 'de', bitrate_kbps: 128 }]);
});

describe('choosableLevels', () => {
  it('stays within the minimum and the maximum of hls.js', () => {
    const levels = [1, 2, 3, 4].map((each) => level(`${each}`, each * 1e6));
    expect(choosableLevels(player({ levels, minAutoLevel: 1, maxAutoLevel: 2 }), 1)).toEqual([1, 2]);
  });

  it('keeps the codecs and the dynamic range of the present level, and levels that decode smoothly', () => {
    const rough = { decodingInfoResults: [{ smooth: false }] };
    const levels = [
      level('a', 1e6),
      level('b', 2e6, { codecSet: 'hvc1,mp4a' }),
      level('c', 3e6, { videoRange: 'PQ' }),
      level('d', 4e6, { supportedResult: rough }),
      level('e', 5e6),
    ];
    expect(choosableLevels(player({ levels }), 0)).toEqual([0, 4]);
    expect(choosableLevels(player({ levels }), -1)).toEqual([0, 1, 2, 4]);
  });

  it('excludes a failed level until its penalty expires, except the present level', () => {
    const levels = [level('a', 1e6), level('b', 2e6, { loadError: 1, loadErrorTime: 1 }), level('c', 3e6)];
    expect(choosableLevels(player({ levels }), 0)).toEqual([0, 2]);
    expect(choosableLevels(player({ levels }), 1)).toEqual([0, 1, 2]);
    expect(choosableLevels(player({ levels }, { errorPenaltyExpireMs: 0.001 }), 0)).toEqual([0, 1, 2]);
    const failing = levels.map((each) => ({ ...(each as object), fragmentError: 1 }));
    expect(choosableLevels(player({ levels: failing }), -1)).toEqual([0, 1, 2]);
  });
});

it('recognizes video, audio and audio-only streams, but no subtitles', () => {
  const radio = player({ levels: [level('a', 64_000, { videoCodec: undefined })] });
  expect(findMediaType(player(), 'main')).toBe('video');
  expect(findMediaType(player(), 'audio')).toBe('audio');
  expect(findMediaType(radio, 'main')).toBe('audio');
  expect(findMediaType(player(), 'subtitle')).toBeUndefined();
});

describe('bufferLengthAt', () => {
  it('is at least maxBufferLength, or more if maxBufferSize allows it', () => {
    // The default maxBufferSize of 60 MB is 480 Mbit: 120 s at 4 Mbit/s.
    expect(bufferLengthAt(player(), 4_000_000)).toBe(120);
    expect(bufferLengthAt(player(), 24_000_000)).toBe(30);
    expect(bufferLengthAt(player(), 100_000)).toBe(600);
    expect(bufferLengthAt(player(), 0)).toBe(30);
  });

  it('is limited by the latency of a live stream, but not of other streams', () => {
    const live = { latestLevelDetails: details({ live: true }), targetLatency: 9 };
    expect(bufferLengthAt(player(live), 4_000_000)).toBe(9);
    expect(bufferLengthAt(player({ latestLevelDetails: details(), targetLatency: 9 }), 4_000_000)).toBe(120);
  });
});

it('treats parts, and segments of a live stream with parts, as low latency', () => {
  const part = { start: 0, duration: 0.3 } as Part;
  const live = details({ live: true, partList: [part] });
  expect(isLowLatency(player(), part, null)).toBe(true);
  expect(isLowLatency(player(), null, live)).toBe(true);
  expect(isLowLatency(player({}, { lowLatencyMode: false }), null, live)).toBe(false);
  expect(isLowLatency(player(), null, details({ live: true }))).toBe(false);
  expect(isLowLatency(player(), null, details({ partList: [part] }))).toBe(false);
});

it("reads segment sizes from byte ranges or EXT-X-BITRATE if the level's playlist is loaded", () => {
  const fragments = [0, 4, 8].map((start) => fragment({ start, bitrate: start === 4 ? 2e6 : 1e6 }));
  const levels = [level('low', 1e6, { details: details({ fragments }) }), level('high', 3e6)];
  const sizes = playlistSizes(player({ levels }));
  expect(sizes.upcoming('low', seconds(4), seconds(8))).toEqual([
    { start: 4, duration: 4, size: 1_000_000 },
    { start: 8, duration: 4, size: 500_000 },
  ]);
  expect(sizes.upcoming('high', seconds(4), seconds(8))).toBeUndefined();
  const unknown = player({ levels: [level('low', 1e6, { details: details({ fragments: [fragment()] }) })] });
  expect(playlistSizes(unknown).upcoming('low', seconds(0), seconds(8))).toBeUndefined();
});
