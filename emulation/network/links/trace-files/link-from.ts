import type { Link } from '../link.ts';
import { stepsFrom } from './offset.ts';

/** The same link, begun at another place of what its rate goes by. */
export function linkFrom(link: Link, offset_ms: number): Link {
  const { rate } = link;
  switch (rate.kind) {
    case 'constant':
    case 'poisson':
      return link;
    case 'schedule':
      return { ...link, rate: { ...rate, steps: stepsFrom(rate.steps, offset_ms) } };
    case 'trace':
      return { ...link, rate: { ...rate, offset_ms } };
  }
}
