/** The assumed bitrate of an HLS audio rendition, bit/s, which playlists do not specify: typical of stereo AAC. */
export const USUAL_AUDIO_BITRATE = 128_000;

/** The largest assumed share of the audio rendition in an HLS variant's bitrate, which includes the audio. */
export const LARGEST_AUDIO_SHARE = 0.5;
