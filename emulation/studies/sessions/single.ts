import { arms } from '../../player/arms/index.ts';
import { PAPER_LINK } from '../../network/links/link.ts';
import { sessionStudy } from './session-study.ts';

export const single = sessionStudy({
  name: 'single',
  about: 'each arm alone on the link: throughput, RTT and quality of one session',
  figure: 'Sammy Figure 7',
  // Arms that request parts of segments play only in the page, and the model is of dash.js.
  arms: arms
    .filter(({ parting, player }) => parting === undefined && player === undefined)
    .map(({ name }) => name),
  runs: 10,
  seconds: 60,
  link: PAPER_LINK,
});
