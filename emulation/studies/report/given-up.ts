import { groupBy } from '../../ground/statistics/grouped.ts';
import type { RunRecord } from '../../player/records/run-record.ts';
import type { ReportData } from './report-data.ts';

/** A sentence for each arm with sessions in which the player gave up on the network. */
export const givenUpSentences = ({ manifest, records }: Pick<ReportData, 'manifest' | 'records'>): string[] =>
  manifest.experiment.arms.flatMap((arm) => {
    const own = records.filter((run) => run.arm === arm);
    const ended = own.filter(({ player_error }) => player_error !== undefined);
    return ended.length === 0
      ? []
      : [
          `${arm}: ${ended.length} of ${own.length} sessions ended with a network error of the player ` +
            `(${countNames(ended)}). Such sessions count as stalled until their end, once the buffer is empty.`,
        ];
  });

/** Lists the errors' names, the most frequent first, with the number of each if there are several. */
function countNames(ended: readonly RunRecord[]): string {
  const byName = [...groupBy(ended, ({ player_error }) => player_error)];
  if (byName.length === 1) return String(byName[0]?.[0]);
  return byName
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, runs]) => `${name} ${runs.length}`)
    .join(', ');
}
