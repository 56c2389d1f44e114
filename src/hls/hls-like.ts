/**
 * An hls.js player as an application has it. The declarations of hls.js 1.6 and 1.7 differ, so this has only what they share,
 * which is enough to tell a player from any other object.
 */
export interface HlsLike {
  readonly config: object;
  readonly userConfig: object;
  loadSource(url: string): void;
  stopLoad(): void;
}
