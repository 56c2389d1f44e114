/** The usual bitrate of stereo AAC, bit/s, for audio of HLS: its playlists give renditions none. */
export const USUAL_AUDIO_BITRATE = 128_000;

/** At most this share of a variant's bitrate is its audio. */
const LARGEST_AUDIO_SHARE = 0.5;

/** The audio's part in the bitrate of an HLS variant, which counts its audio rendition. */
export const audioBitrateIn = (bitrate: number): number =>
  Math.min(USUAL_AUDIO_BITRATE, LARGEST_AUDIO_SHARE * bitrate);
