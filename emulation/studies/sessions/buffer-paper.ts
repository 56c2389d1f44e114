import { paperExperiment } from '../../../buffers/flows/paper/paper-experiment.ts';
import { allocationExperiment } from '../../../buffers/flows/allocations/allocation-experiment.ts';

export const bufferPaper = paperExperiment({
  name: 'buffer-paper',
  about:
    'long flows of reno, cubic, bbr, scalable that share buffers of the P4 switch; --figures 3,5, --quick',
  figure: 'Updating the Theory of Buffer Sizing, Figures 1 to 11',
});

export const abLab = allocationExperiment({
  name: 'ab-lab',
  about: 'ten applications, 0 to 10 of them treated: two connections, paced, bbr; on the P4 switch; --quick',
  figure: 'Unbiased Experiments in Congested Networks, Figures 2 and 3',
});
