import { describe, expect, it } from 'vitest';
import { bigBuckBunny } from '../../../../media/films/big-buck-bunny.ts';
import { filmFor } from '../../model/player/film-for.ts';
import { scheduledRate } from '../../../network/virtual/rounds/rates.ts';
import { playPage } from './play-page.ts';

const SECONDS = 60;
const film = filmFor(bigBuckBunny, SECONDS);
/** The rates of a varying link, Mbit/s, which change every 20 s. */
const VARYING = [8, 1.5];

/**
 * The results of ten sessions: play delay (ms), bitrate and chunk throughput (kbit/s), switches, video requests. These
 * are regression values, not verified ones. If a change of dash.js, the plug-in, TCP or the page changes one of them by
 * 1%, the change must be intended, and its commit says why.
 */
const FIGURES = [
  ['dashjs', [1.5], [1623, 700, 1314, 0, 37]],
  ['dashjs', [3], [891, 1101, 2710, 13, 61]],
  ['dashjs', [10], [373, 3289, 9089, 1, 45]],
  ['dashjs', [40], [219, 3300, 23885, 0, 45]],
  ['dashjs', VARYING, [425, 2055, 4547, 15, 56]],
  ['sammy-paper', [1.5], [1623, 1137, 1312, 3, 33]],
  ['sammy-paper', [5], [614, 3182, 4578, 2, 42]],
  ['sammy-paper', [40], [219, 3300, 9393, 0, 45]],
  ['sammy-paper', VARYING, [425, 3238, 5177, 3, 45]],
  ['sammy-smooth', [40], [219, 3300, 4371, 0, 40]],
] as const;

describe('ten sessions of dash.js in process', () => {
  it.each(FIGURES)('%s at %j Mbit/s has the recorded results', (arm, rates, figures) => {
    const capacity = scheduledRate(rates.map((mbps) => ({ seconds: 20, mbps })));
    const { summary, decisions } = playPage({
      ...{ arm, sammy: {}, film, seconds: SECONDS },
      network: { capacity, rtt_ms: 20, queue_bytes: 100_000 },
    });
    const { play_delay_ms, mean_bitrate_kbps, chunk_throughput_kbps, switches } = summary;
    const requests = decisions.filter(({ media_type }) => media_type === 'video').length;
    const now = [play_delay_ms, mean_bitrate_kbps, chunk_throughput_kbps, switches, requests].map((value) =>
      Math.round(value ?? NaN),
    );
    const within = figures.every((was, index) => Math.abs((now[index] ?? NaN) - was) <= 0.01 * was);
    expect(within, `[${now.join(', ')}] is now what was [${figures.join(', ')}]`).toBe(true);
  });
});
