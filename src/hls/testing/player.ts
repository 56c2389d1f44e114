import type { Fragment, HlsPlayer, Level } from '../player.ts';

/** Some members of an object of hls.js. Their values need only the members that the adapter uses. */
export type Some<Type> = Partial<Record<keyof Type, unknown>>;

/** A level of a multivariant playlist. */
export const level = (id: string, bitrate: number, more: Some<Level> = {}): Level =>
  ({
    bitrate,
    attrs: { 'STABLE-VARIANT-ID': id },
    ...{ videoCodec: 'avc1', audioCodec: 'mp4a', codecSet: 'avc1,mp4a', videoRange: 'SDR' },
    ...{ loadError: 0, fragmentError: 0 },
    ...more,
  }) as unknown as Level;

export const rendition = (id: string, more: object = {}) => ({
  attrs: { 'STABLE-RENDITION-ID': id },
  ...{ groupId: 'audio', url: 'audio.m3u8' },
  ...more,
});

export const fragment = (more: Some<Fragment> = {}): Fragment =>
  ({
    ...{ type: 'main', sn: 1, level: 0, start: 0, duration: 4, bitrate: null },
    abortRequests: () => undefined,
    ...more,
  }) as unknown as Fragment;

/** An hls.js player with default settings, before playback. */
export const player = (more: Some<HlsPlayer> = {}, config: Some<HlsPlayer['config']> = {}): HlsPlayer => {
  const levels = (more.levels as Level[] | undefined) ?? [level('low', 500_000), level('high', 3_000_000)];
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
  } as unknown as HlsPlayer;
};
