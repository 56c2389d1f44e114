import {
  MORE,
  NOTHING_TO_MEASURE,
  notBuilt,
  SHOWN,
  type Origin,
  type Paper,
} from '../../../emulation/studies/paper/claims/exhibit.ts';
import * as planned from '../../../emulation/studies/paper/exhibits/unbiased/index.ts';
import { withEvidence } from './with-evidence.ts';

const WORLD: Origin = {
  command: 'npm run lab -- world --table',
  commit: 'f7c4638',
  page: '/results/log/world',
};
const IN_A_WORLD = 'A simulated population on two links, treated with capped bitrates';

const exhibits = withEvidence([
  notBuilt(
    'Figure 1',
    '§2',
    'What an A/B test estimates, and what deploying to everybody does, without and with interference.',
    `${NOTHING_TO_MEASURE} The live piece about A/B tests computes such lines.`,
  ),
  planned.figure2,
  planned.figure3,
  notBuilt('Figure 4', '§4.1', 'The paired links.', NOTHING_TO_MEASURE),
  {
    name: 'Figure 5',
    section: '§4.3',
    shows: 'Capped bitrates relieve a full link for everybody; A/B tests within a link do not see it.',
    rows: [
      { what: 'A/B test: throughput', unit: '%', paper: -5, ours: [-0.1, -5, 4.7] },
      { what: 'TTE: throughput', unit: '%', paper: 12, ours: [14.2, 9.3, 19.2] },
      { what: 'spillover: throughput', unit: '%', paper: 16, ours: [17.7, 5.4, 30.1] },
      { what: 'TTE: minimum RTT', unit: '%', paper: -24, ours: [-22.7, -26.9, -18.4] },
      { what: 'TTE: play delay', unit: '%', paper: -10, ours: [-23.3, -30, -16.6] },
      { what: 'TTE: bitrate', unit: '%', paper: -33, ours: [-26.6, -28.3, -24.8] },
      { what: 'TTE: retransmitted', unit: '%', paper: 10, ours: [-40.4, -56.9, -23.8] },
    ],
    origin: WORLD,
    note: `${IN_A_WORLD}; ours is one test at 50%. All signs but that of retransmissions are the paper’s. The simulator knows the truth: the A/B test misses it in five of six metrics, the paired links in two (throughput +20.1%, bitrate -28.4%).`,
  },
  notBuilt(
    'Figure 6',
    '§4.3',
    'Throughput over the days on both links: it falls at the peaks, and less so where most are capped.',
    'The analysis draws it of any data, also the world’s; none of these pictures is in the log.',
  ),
  {
    name: 'Figure 7',
    section: '§4.3',
    shows: 'The mean throughputs of the four cells: capped and not, on both links.',
    rows: [
      { what: 'A/B test', unit: '%', paper: -5, ours: [-0.1, -5, 4.7] },
      { what: 'TTE', unit: '%', paper: 12, ours: [14.2, 9.3, 19.2] },
      { what: 'spillover', unit: '%', paper: 16, ours: [17.7, 5.4, 30.1] },
    ],
    origin: WORLD,
    note: `${IN_A_WORLD}: the paper’s three numbers lie within our intervals, though our test (at 50%) finds nothing where the paper’s find a loss. The simulator’s truth is +20.1%, just outside the interval of the paired links.`,
  },
  {
    name: 'Figure 8',
    section: '§4.3',
    shows:
      'The minimum round-trip time by hour: lower for all where most are capped, though A/B tests say higher.',
    rows: [
      { what: 'A/B tests', unit: '%', paper: '+5 and +12', ours: [-1.2, -3.1, 0.7], ...MORE },
      { what: 'TTE', unit: '%', paper: -24, ours: [-22.7, -26.9, -18.4] },
      { what: 'spillover', unit: '%', paper: -27, ours: [-23.7, -34.2, -13.3] },
    ],
    origin: WORLD,
    note: `${IN_A_WORLD}: TTE and spillover have the paper’s size; our test sees nothing where the paper’s see harm. The hours were not compared.`,
  },
  {
    name: 'Figure 9',
    section: '§4.3',
    shows: 'Capping lowers the share of retransmitted bytes at the peak and raises it off it.',
    rows: [{ what: 'TTE of all hours', unit: '%', paper: 10, ours: [-40.4, -56.9, -23.8], ...SHOWN }],
    origin: WORLD,
    note: `${IN_A_WORLD} of all hours; peak and off-peak were not set apart. Over real TCP an evening has +38.8%, without an interval.`,
  },
  {
    name: 'Figure 10',
    section: '§5.4',
    shows:
      'A switchback experiment finds what the paired links find, with wider intervals; an event study mostly.',
    rows: [
      { what: 'throughput: paired links', unit: '%', paper: 12, ours: [14.2, 9.3, 19.2] },
      {
        what: 'throughput: switchback',
        unit: '%',
        paper: 'holds that of the links',
        ours: [23.3, 6.3, 40.6],
        claim: { of: 'within', number: 14.2 },
      },
      { what: 'minimum RTT: paired links', unit: '%', paper: -24, ours: [-22.7, -26.9, -18.4] },
      {
        what: 'minimum RTT: switchback',
        unit: '%',
        paper: 'holds that of the links',
        ours: [-21.4, -45.9, 1.4],
        claim: { of: 'within', number: -22.7 },
      },
      { what: 'event study', unit: '', paper: 'biased for throughput', ours: null },
    ],
    origin: WORLD,
    note: `${IN_A_WORLD}: every interval of the switchback holds the estimate of the paired links, and the truth, and is wider. Event studies can be analyzed, but are not in this table.`,
  },
  notBuilt(
    'Figure 11',
    '§5.4',
    'Throughput in an event study: 95% capped from Friday on.',
    'The analysis draws it of paired links, emulated as the paper does; none of these pictures is in the log.',
  ),
  notBuilt(
    'Figure 12',
    '§5.4',
    'Throughput in a switchback of whole days.',
    'The same; the world’s own switchbacks change every four hours.',
  ),
  notBuilt(
    'Figure 13',
    'Appendix B',
    'Intervals by hour are wider than intervals by account.',
    'The analysis draws both beside its own, by days; none of these pictures is in the log.',
  ),
]);

export const unbiased: Paper = {
  key: 'unbiased',
  title: 'Unbiased Experiments in Congested Networks',
  short: 'A/B tests',
  year: 2021,
  exhibits,
};
