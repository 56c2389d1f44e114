import { allocationExperiment } from '../../../buffers/flows/allocations/allocation-experiment.ts';

export const abLab = allocationExperiment({
  name: 'ab-lab',
  about: 'ten applications, 0 to 10 of them treated: two connections, paced, bbr; on the P4 switch; --quick',
  figure: 'Unbiased Experiments in Congested Networks, Figures 2 and 3',
});
