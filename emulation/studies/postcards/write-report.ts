import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { finishedRuns } from '../../harness/runs/finished-run.ts';
import { table } from '../../ground/drawing/table.ts';
import { studyPage } from '../../harness/report/study-page.ts';
import { checkAnySettings, readManifest } from '../../harness/runs/manifest.ts';
import { compare, type PostcardComparison } from './comparison.ts';
import { makeCellName, SCHEMES } from './postcards.ts';
import type { PostcardResult } from './run-spec.ts';

/** Reads the finished runs in `outDir`, and writes `summary.json` and `report.html` into the folder. */
export function writePostcardReport(outDir: string): void {
  const manifest = readManifest(outDir, checkAnySettings);
  const results = SCHEMES.flatMap((scheme) =>
    [true, false].flatMap((is) => readRuns(outDir, makeCellName(scheme, is))),
  );
  const comparisons = SCHEMES.flatMap((scheme) =>
    (['throughput_mbps', 'srtt_p95_ms'] as const).flatMap(
      (quantity) => compare(scheme, quantity, results) ?? [],
    ),
  );
  replaceFiles(outDir, {
    'summary.json': asJson({ ...manifest, experiment: manifest.experiment.name, comparisons }),
    'report.html': studyPage(
      manifest,
      { lead: "Whether the switch's reports of every packet change what they measure." },
      table(HEADS, comparisons.map(row)),
    ),
  });
}

const HEADS = [
  ...['scheme', 'quantity', 'runs', 'with postcards', 'without', 'change (%, 95% interval)'],
  ...['Kolmogorov-Smirnov p', 'shift found with a power of 80% (%)'],
];

const row = ({
  scheme,
  quantity,
  runs,
  reported,
  unreported,
  change_pct,
  p,
  detectable_pct,
}: PostcardComparison) => [
  ...[
    scheme,
    quantity === 'throughput_mbps' ? 'throughput (Mbit/s)' : 'smoothed RTT p95 (ms)',
    runs.join(' + '),
  ],
  ...[reported.toFixed(3), unreported.toFixed(3)],
  `${change_pct[0].toFixed(2)} (${change_pct[1].toFixed(2)} to ${change_pct[2].toFixed(2)})`,
  ...[p.toFixed(3), detectable_pct.toFixed(2)],
];

const readRuns = (outDir: string, cell: string): PostcardResult[] =>
  finishedRuns<PostcardResult>(outDir, cell).map(({ result }) => result);
