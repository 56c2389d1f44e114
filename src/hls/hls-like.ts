/**
 * The public part of an hls.js player. Has only members whose declarations are the same in hls.js 1.6 and 1.7, and
 * which other objects do not have.
 */
export interface HlsLike {
  readonly config: object;
  readonly userConfig: object;
  loadSource(url: string): void;
  stopLoad(): void;
}
