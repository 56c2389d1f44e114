import { named } from '../../../../system/command-line/suggestion.ts';
import type { Measurement } from '../measurement.ts';
import { alone } from './alone.ts';
import { bbrOneBdp, bbrTwoBdp } from './bbr-applications.ts';
import { cappedWorld } from './capped-world.ts';
import { connections } from './connections.ts';
import { memory } from './memory.ts';
import { networks } from './networks.ts';
import { paceBound } from './pace-bound.ts';
import { pacedApplications, pacedToday } from './paced-applications.ts';
import { pacedWorld } from './paced-world.ts';
import { queueSizes } from './queue-sizes.ts';
import { paceGrid } from './pace-grid.ts';
import { schemes } from './schemes.ts';

/** All measurements; to add one, add a file and a line here. */
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
