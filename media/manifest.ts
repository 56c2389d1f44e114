import type { Kbps, Seconds } from '../src/units.ts';
import { INIT_SEGMENT } from './encode.ts';
import { SEGMENT_S, type Size } from './ladder.ts';

interface Track {
  readonly id: string;
  /** Codec string of RFC 6381, such as `vp09.00.31.08`. */
  readonly codecs: string;
  readonly bitrate: Kbps;
}

export interface DashManifest {
  readonly title: string;
  readonly credit?: string;
  readonly duration: Seconds;
  /** Duration of a segment; the ladder's own by default. */
  readonly segment?: Seconds;
  readonly frameRate: number;
  readonly video: readonly (Track & Size)[];
  readonly audio?: Track;
}

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Formats a frame rate for DASH, as an integer or a fraction (ISO/IEC 23009-1 §5.3.7.2): 24, 25/2. */
const frameRate = (rate: number): string => (Number.isInteger(rate) ? String(rate) : `${rate * 2}/2`);

const period = (time: Seconds): string => `PT${Number(time.toFixed(3))}S`;

/**
 * Formats the `<MPD>` of a static presentation with numbered segments of constant duration (ISO/IEC 23009-1 §5.3.9.4).
 */
export function printManifest(manifest: DashManifest): string {
  const { segment = SEGMENT_S } = manifest;
  const template = `<SegmentTemplate timescale="1000" duration="${segment * 1000}" startNumber="1" initialization="$RepresentationID$/${INIT_SEGMENT}" media="$RepresentationID$/$Number$.m4s"/>`;
  const bandwidth = (track: Track): string =>
    `id="${track.id}" codecs="${track.codecs}" bandwidth="${Math.round(track.bitrate * 1000)}"`;
  const rungs = manifest.video.map(
    (rung) =>
      `      <Representation ${bandwidth(rung)} width="${rung.width}" height="${rung.height}" frameRate="${frameRate(manifest.frameRate)}" sar="1:1"/>`,
  );
  const audio = manifest.audio
    ? [
        `    <AdaptationSet id="1" contentType="audio" mimeType="audio/mp4" segmentAlignment="true" startWithSAP="1">`,
        `      ${template}`,
        `      <Representation ${bandwidth(manifest.audio)} audioSamplingRate="48000">`,
        `        <AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="2"/>`,
        `      </Representation>`,
        `    </AdaptationSet>`,
      ]
    : [];
  return [
    `<?xml version="1.0" encoding="utf-8"?>`,
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" mediaPresentationDuration="${period(manifest.duration)}" maxSegmentDuration="${period(segment)}" minBufferTime="PT4S">`,
    `  <ProgramInformation>`,
    `    <Title>${escape(manifest.title)}</Title>`,
    ...(manifest.credit ? [`    <Copyright>${escape(manifest.credit)}</Copyright>`] : []),
    `  </ProgramInformation>`,
    `  <Period id="0" start="PT0S">`,
    `    <AdaptationSet id="0" contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1">`,
    `      ${template}`,
    ...rungs,
    `    </AdaptationSet>`,
    ...audio,
    `  </Period>`,
    `</MPD>`,
    ``,
  ].join('\n');
}
