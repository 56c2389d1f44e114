import { PAPER_LINK } from '../links/link.ts';
import { sessionExperiment } from '../sessions/session-experiment.ts';

/** The paper's player holds minutes of buffer, so that its on period is long (see the README). */
const LONG_BUFFER_S = 240;

const beside = (neighbour: string, panel: string, about: string) =>
  sessionExperiment({
    name: `neighbour-${neighbour}`,
    about,
    figure: `Sammy Figure 8${panel}`,
    arms: ['dashjs', 'sammy', 'sammy-smooth'],
    runs: 10,
    seconds: 60,
    link: PAPER_LINK,
    neighbour,
    buffer_s: LONG_BUFFER_S,
  });

export const neighbourUdp = beside('udp', 'a', 'beside a paced UDP flow of 5 Mbit/s: its one-way delay');
export const neighbourTcp = beside(
  'tcp',
  'b',
  'beside a bulk TCP flow that starts 10 s after playback: its throughput',
);
export const neighbourHttp = beside('http', 'c', 'beside repeated requests of 3 MB: their response time');
export const neighbourVideo = beside('video', 'd', 'beside sessions of stock dash.js: their play delay');
