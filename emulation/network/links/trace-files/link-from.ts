import type { Link } from '../link.ts';
import { rotateSteps } from './offset.ts';

/** Returns the same link with its rate shifted to begin at `offset_ms`. */
export function shiftLink(link: Link, offset_ms: number): Link {
  const { rate } = link;
  switch (rate.kind) {
    case 'constant':
    case 'poisson':
      return link;
    case 'schedule':
      return { ...link, rate: { ...rate, steps: rotateSteps(rate.steps, offset_ms) } };
    case 'trace':
      return { ...link, rate: { ...rate, offset_ms } };
  }
}
