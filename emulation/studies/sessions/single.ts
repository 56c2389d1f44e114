import { arms } from '../../player/arms/index.ts';
import { PAPER_LINK } from '../../network/links/link.ts';
import { sessionStudy } from './session-study.ts';

export const single = sessionStudy({
  name: 'single',
  about: 'each arm alone on the link: throughput, RTT and quality of one session',
  figure: 'Sammy Figure 7',
  // The study omits arms that request parts of segments, which play only in the page, and arms of other players, which
  // the model does not simulate.
  arms: arms
    .filter(({ parting, player }) => parting === undefined && player === undefined)
    .map(({ name }) => name),
  runs: 10,
  seconds: 60,
  link: PAPER_LINK,
});
