import { finishedConfirmation } from '../confirm/confirmation.ts';
import { experimentNamed } from '../experiments/index.ts';
import type { Experiment } from '../runs/experiment.ts';

/** The experiment of a folder's runs, by its name: one of the lab's, or a confirmation. Throws an Error for any other. */
export const finishedExperiment = (name: string): Experiment =>
  name === finishedConfirmation.name ? finishedConfirmation : experimentNamed(name);
