import { named } from '../../../../system/command-line/suggestion.ts';
import type { Measurement } from '../measurement.ts';
import { bbrOneBdp, bbrTwoBdp, connections, pacedApplications, pacedToday } from './applications.ts';
import { cappedWorld } from './capped-world.ts';
import { paceBound } from './pace-bound.ts';
import { pacedWorld } from './paced-world.ts';
import { queueSizes } from './queue-sizes.ts';
import { returningViewers } from './returning-viewers.ts';
import { schemes } from './schemes.ts';
import { alone, memory, networks, paceGrid } from './sessions.ts';

/** All measurements. To add one, add it to a file, or a new file, and a line here. */
export const measurements: readonly Measurement[] = [
  paceBound,
  alone,
  networks,
  paceGrid,
  memory,
  returningViewers,
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

/**
 * Finds a measurement by name. Throws an Error that lists the measurements and suggests a similar name if there is
 * none.
 */
export const measurementNamed = (name: string): Measurement => named('measurement', name, measurements);
