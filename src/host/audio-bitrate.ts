/** The assumed bitrate of an HLS audio rendition, bit/s, which playlists do not specify: typical of stereo AAC. */
export const USUAL_AUDIO_BITRATE = 128_000;

/** The largest assumed share of the audio rendition in an HLS variant's bitrate, which includes the audio. */
const LARGEST_AUDIO_SHARE = 0.5;

/** The bitrate of the video, bit/s, in an HLS variant whose audio is a rendition of its own. */
export const subtractAudio = (bitrate: number): number =>
  bitrate - Math.min(USUAL_AUDIO_BITRATE, LARGEST_AUDIO_SHARE * bitrate);
