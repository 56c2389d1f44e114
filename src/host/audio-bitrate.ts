/** The usual bitrate of stereo AAC, bit/s, for audio of HLS: its playlists give renditions none. */
export const USUAL_AUDIO_BITRATE = 128_000;

/** At most this share of an HLS variant's bitrate is that of its audio rendition, which it includes. */
export const LARGEST_AUDIO_SHARE = 0.5;
