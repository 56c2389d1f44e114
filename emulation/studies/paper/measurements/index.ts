import { named } from '../../../../system/command-line/suggestion.ts';
import type { Measurement } from '../measurement.ts';
import { bbrOneBdp, bbrTwoBdp, connections, pacedApplications, pacedToday } from './applications.ts';
import { cappedWorld } from './capped-world.ts';
import { paceBound } from './pace-bound.ts';
import { pacedWorld } from './paced-world.ts';
import { queueSizes } from './queue-sizes.ts';
import { schemes } from './schemes.ts';
import { alone, memory, networks, paceGrid } from './sessions.ts';

/** All measurements; to add one, add it to a file, or a file, and a line here. */
export const measurements: readonly Measurement[] = [
  paceBound,
  alone,
  networks,
  paceGrid,
  memory,
  connections,
  pacedApplications,
  pacedToday,
  bbrOneBdp,
  bbrTwoBdp,
  cappedWorld,
  pacedWorld,
  queueSizes,
  schemes,
];

/** Finds a measurement by its name. Throws an Error that lists them, and names one that is like it, if there is none. */
export const measurementNamed = (name: string): Measurement => named('measurement', name, measurements);
