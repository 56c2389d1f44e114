import { flowExperiment } from '../../../buffers/flows/single/single-experiment.ts';

export const bufferSingle = flowExperiment({
  name: 'buffer-single',
  about: 'one long flow of reno, cubic, bbr through buffers of 0.05 to 2 BDP of the P4 switch',
  figure: 'Updating the Theory of Buffer Sizing, Figures 1 to 3',
});
