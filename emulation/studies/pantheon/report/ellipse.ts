import { mean } from '../../../ground/statistics/bootstrap.ts';
/** A run as a point of a path's figure. */
export interface Run {
  readonly delay_ms: number;
  readonly throughput_mbps: number;
}

export interface Spread {
  readonly mean: Run;
  /** The outline of the 1-sigma ellipse, closed; empty for fewer than three runs. */
  readonly outline: readonly Run[];
}

const LEAST_RUNS = 3;
const CORNERS = 60;

/**
 * Computes the mean of runs and the ellipse of one standard deviation around it (Pantheon, Figure 3.2): the points
 * whose Mahalanobis distance from the mean is 1, by the covariance of these runs.
 */
export function computeSpread(runs: readonly Run[]): Spread {
  const middle = {
    delay_ms: mean(runs.map(({ delay_ms }) => delay_ms)),
    throughput_mbps: mean(runs.map(({ throughput_mbps }) => throughput_mbps)),
  };
  if (runs.length < LEAST_RUNS) return { mean: middle, outline: [] };
  const covariance = (one: keyof Run, other: keyof Run): number =>
    runs.reduce((sum, run) => sum + (run[one] - middle[one]) * (run[other] - middle[other]), 0) /
    (runs.length - 1);
  // The Cholesky factor of the covariance maps the unit circle to the ellipse.
  const [xx, xy, yy] = [
    covariance('delay_ms', 'delay_ms'),
    covariance('delay_ms', 'throughput_mbps'),
    covariance('throughput_mbps', 'throughput_mbps'),
  ];
  const across = Math.sqrt(xx);
  const slope = across > 0 ? xy / across : 0;
  const up = Math.sqrt(Math.max(0, yy - slope ** 2));
  const outline = Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / CORNERS;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return {
      delay_ms: middle.delay_ms + across * cos,
      throughput_mbps: middle.throughput_mbps + slope * cos + up * sin,
    };
  });
  return { mean: middle, outline };
}
