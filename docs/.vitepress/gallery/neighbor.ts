import {
  type Exhibit,
  NOTHING_TO_MEASURE,
  notBuilt,
  type Paper,
} from '../../../emulation/studies/paper/claims/exhibit.ts';

const ROUTERS =
  'It is about Netflix’s routers. The lab sizes buffers for TCP flows, and has not crossed their size with the viewers’ picture.';

/** Of chapter 5, which is in no other paper; chapters 2 to 4 revise three of the others. */
const exhibits: readonly Exhibit[] = [
  notBuilt('Figure 5.1', '§5.1', 'A site with its two stacks.', NOTHING_TO_MEASURE),
  {
    ...notBuilt(
      'Table 5.1',
      '§5.4',
      'What another buffer does to rebuffers, quality, play delay, round trips and retransmissions: too small and too large both harm.',
      ROUTERS,
    ),
    rows: [
      { what: '50 MB for 500, site 1: sessions with rebuffers', unit: '%', paper: 46.3, ours: null },
      { what: 'the same: retransmitted', unit: '%', paper: 85.2, ours: null },
      { what: '25 MB for 500, site 2: sessions with rebuffers', unit: '%', paper: -15.6, ours: null },
      { what: 'the same: retransmitted', unit: '%', paper: 130.6, ours: null },
    ],
  },
  notBuilt('Figure 5.2', '§5.3.2', 'The queues of a router.', NOTHING_TO_MEASURE),
  notBuilt('Figure 5.3', '§5.4.1', 'Least round trips of a congested hour with very large buffers.', ROUTERS),
  notBuilt('Figure 5.4', '§5.4.1', 'The same with 50 and 500 MB at another site.', ROUTERS),
  notBuilt(
    'Figure 5.5',
    '§5.4.1',
    'Retransmissions grow with the load, and faster with smaller buffers.',
    ROUTERS,
  ),
  notBuilt(
    'Figure 5.6',
    '§5.4.2',
    'At equal retransmissions, smaller buffers have fewer rebuffers.',
    ROUTERS,
  ),
  notBuilt('Figure 5.7', '§5.5', 'Round trips by virtual output queue of a router.', ROUTERS),
  notBuilt('Figure 5.8', '§5.5', 'Round trips of catalog and offload servers by hour.', ROUTERS),
];

export const neighbor: Paper = {
  key: 'neighbor',
  title: 'Making Video Traffic a Friendlier Internet Neighbor, chapter 5',
  short: 'Router buffers',
  year: 2023,
  exhibits,
};
