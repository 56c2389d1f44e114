import type { Fragment, HlsPlayer, Level, Rendition } from '../player.ts';

/** A level of a multivariant playlist. */
export const level = (id: string, bitrate: number, more: Partial<Level> = {}): Level => ({
  bitrate,
  attrs: { 'STABLE-VARIANT-ID': id },
  ...{ videoCodec: 'avc1', audioCodec: 'mp4a', codecSet: 'avc1,mp4a', videoRange: 'SDR' },
  ...{ loadError: 0, fragmentError: 0 },
  ...more,
});

export const rendition = (id: string, more: Partial<Rendition> = {}): Rendition => ({
  attrs: { 'STABLE-RENDITION-ID': id },
  ...{ groupId: 'audio', url: 'audio.m3u8' },
  ...more,
});

export const fragment = (more: Partial<Fragment> = {}): Fragment => ({
  ...{ type: 'main', sn: 1, level: 0, start: 0, duration: 4, bitrate: null },
  abortRequests: () => undefined,
  ...more,
});

/** An hls.js player with default settings, before playback. */
export const player = (
  more: Partial<HlsPlayer> = {},
  config: Partial<HlsPlayer['config']> = {},
): HlsPlayer => {
  const levels = more.levels ?? [level('low', 500_000), level('high', 3_000_000)];
  return {
    levels,
    ...{ audioTracks: [], allAudioTracks: [], media: null, url: null, autoLevelEnabled: true },
    ...{ minAutoLevel: 0, maxAutoLevel: levels.length - 1, firstAutoLevel: 0, startLevel: -1 },
    ...{ mainForwardBufferInfo: null, latestLevelDetails: null, targetLatency: null },
    ...{ nextLoadLevel: 0, nextAutoLevel: 0, bandwidthEstimate: 5e5, userConfig: {} },
    ...more,
    config: {
      ...{ testBandwidth: true, abrEwmaDefaultEstimate: 5e5, lowLatencyMode: true },
      ...{ maxBufferLength: 30, maxBufferSize: 60e6, maxMaxBufferLength: 600 },
      fragLoadPolicy: { default: { maxLoadTimeMs: 120_000 } },
      loader: undefined as never,
      ...config,
    },
  } as HlsPlayer;
};
