import { PAPER_LINK } from '../../network/links/link.ts';
import { sessionStudy } from './session-study.ts';

/**
 * The buffer levels: dash.js's own at the top rung, and several minutes as in the paper's player, which downloads for
 * long periods (see docs/lab/experiments.md).
 */
const BUFFERS_S = [30, 240];
/**
 * The length of a session. It is longer than an unpaced player takes to fill either buffer. While an unpaced player
 * fills its buffer, it downloads faster than the video's bitrate. In a shorter session, part of pacing's benefit would
 * only be that prefetching happens later.
 */
const SECONDS = 300;

const beside = (neighbor: string, panel: string, about: string) =>
  sessionStudy({
    name: `neighbor-${neighbor}`,
    about,
    figure: `Sammy Figure 8${panel}`,
    arms: ['dashjs', 'sammy-paper', 'sammy-smooth'],
    runs: 5,
    seconds: SECONDS,
    link: PAPER_LINK,
    neighbor: neighbor,
    conditions: BUFFERS_S.map((buffer_s) => ({ name: `buffer-${buffer_s}s`, buffer_s })),
  });

export const neighborUdp = beside('udp', 'a', 'beside a paced UDP flow of 5 Mbit/s: its one-way delay');
export const neighborTcp = beside(
  'tcp',
  'b',
  'beside a bulk TCP flow that starts 10 s after playback: its throughput',
);
export const neighborHttp = beside('http', 'c', 'beside repeated requests of 3 MB: their response time');
export const neighborVideo = beside('video', 'd', 'beside sessions of stock dash.js: their play delay');
