/**
 * The public part of an hls.js player. The declarations of hls.js 1.6 and 1.7 differ, so this declares the common part,
 * which is enough to tell a player from any other object.
 */
export interface HlsLike {
  readonly config: object;
  readonly userConfig: object;
  loadSource(url: string): void;
  stopLoad(): void;
}
