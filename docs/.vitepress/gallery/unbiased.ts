import { outline, type Paper } from '../../../emulation/studies/paper/claims/exhibit.ts';
import * as planned from '../../../emulation/studies/paper/exhibits/unbiased.ts';
import { withEvidence } from './with-evidence.ts';

const exhibits = withEvidence([
  outline(
    'Figure 1',
    '§2',
    'What an A/B test estimates, and what deploying to everybody does, without and with interference.',
    'The live piece about A/B tests computes such lines.',
  ),
  planned.figure2,
  planned.figure3,
  outline('Figure 4', '§4.1', 'The paired links.'),
  planned.figure5,
  planned.figure6,
  planned.figure7,
  planned.figure8,
  planned.figure9,
  planned.figure10,
  planned.figure11,
  planned.figure12,
  planned.figure13,
]);

export const unbiased: Paper = {
  key: 'unbiased',
  title: 'Unbiased Experiments in Congested Networks',
  short: 'A/B tests',
  year: 2021,
  exhibits,
};
