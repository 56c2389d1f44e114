import type { ViewerFront } from './front.ts';

/** The figures as a table in Markdown: a row for each arm, and for each set the time stalled and SSIM. */
export function frontTable(fronts: readonly ViewerFront[], names: Readonly<Record<string, string>>): string {
  const arms = fronts[0]?.points.map(({ arm }) => arm) ?? [];
  const cell = ({ points }: ViewerFront, arm: string): string => {
    const point = points.find((each) => each.arm === arm);
    return point ? `${point.stall_points.toFixed(2)}, ${point.ssim_db.toFixed(2)}` : '';
  };
  return [
    ['stalled %, SSIM dB', ...fronts.map(({ set }) => set)],
    ['---', ...fronts.map(() => '---')],
    ...arms.map((arm) => [names[arm] ?? arm, ...fronts.map((front) => cell(front, arm))]),
  ]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}
