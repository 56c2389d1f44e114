import { paperExperiment } from '../../../buffers/flows/paper/paper-experiment.ts';

export const bufferPaper = paperExperiment({
  name: 'buffer-paper',
  about:
    'long flows of reno, cubic, bbr, scalable that share buffers of the P4 switch; --figures 3,5, --quick',
  figure: 'Updating the Theory of Buffer Sizing, Figures 1 to 11',
});
