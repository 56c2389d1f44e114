import { mkdirSync } from 'node:fs';
import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import type { Figure } from '../../../ground/drawing/figure.ts';
import { figureSection } from '../../../ground/drawing/figure-section.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { treatmentLook, type Look } from '../../../ground/drawing/palette.ts';
import { studyPage } from '../../../harness/report/study-page.ts';
import { readManifest, type Manifest } from '../../../harness/runs/manifest.ts';
import type { Link } from '../../../network/links/link.ts';
import { readPackets } from '../run-files.ts';
import { checkPantheonSettings, type PantheonSettings } from '../settings.ts';
import { compareWithModel, modelComparisonTable, type ModelComparison } from './beside-model.ts';
import { timeCharts, tradeoffChart } from './charts.ts';
import { readScenarios, formatTitle, type Scenario } from './summary.ts';
import { makeSummary } from './summary.ts';
import { faultsSection, powerTable, scenarioTable } from './tables.ts';
import { describeLink } from '../../report/page/describe-link.ts';

/**
 * Reads the finished runs in `outDir`, and writes the front page, `report.html`, a page for each path,
 * `path-NAME.html`, and `summary.json`.
 */
export function writePantheonReport(outDir: string): void {
  const manifest = readManifest(outDir, checkPantheonSettings);
  const { experiment } = manifest;
  const scenarios = readScenarios(outDir, experiment);
  const beside = compareWithModel(manifest, scenarios);
  const looks = experiment.schemes.map((scheme, index) => treatmentLook(scheme, index));
  mkdirSync(outDir, { recursive: true });
  replaceFiles(outDir, {
    'summary.json': asJson({ ...makeSummary(manifest, scenarios), beside_model: beside }),
    'report.html': frontPage(manifest, { scenarios, beside, looks }),
    ...Object.fromEntries(
      Object.entries(experiment.paths).map(([name, link]) => {
        const own = scenarios.filter(({ path }) => path === name);
        return [pageName(name), pathPage(outDir, { manifest, scenarios: own, looks, name, link })];
      }),
    ),
  });
}

const pageName = (path: string): string => `path-${path}.html`;

function frontPage(
  manifest: Manifest<PantheonSettings>,
  of: {
    readonly scenarios: readonly Scenario[];
    readonly beside: readonly ModelComparison[];
    readonly looks: readonly Look[];
  },
): string {
  const { scenarios, beside, looks } = of;
  const figures = scenarios.map((scenario) => tradeoffFigure(scenario, looks, manifest.experiment));
  const links = Object.entries(manifest.experiment.paths).map(
    ([name, link]) => html`<li><a href="${pageName(name)}">${name}</a>: ${describeLink(link)}</li>`,
  );
  return page(
    manifest,
    html`<ul>
        ${links}
      </ul>
      ${faultsSection(scenarios, manifest)} ${powerTable(scenarios)} ${modelComparisonTable(beside)}
      ${figures.map((figure, index) => figureSection(figure, index + 1))} ${scenarios.map(scenarioTable)}`,
  );
}

function pathPage(
  outDir: string,
  of: {
    readonly manifest: Manifest<PantheonSettings>;
    readonly scenarios: readonly Scenario[];
    readonly looks: readonly Look[];
    readonly name: string;
    readonly link: Link;
  },
): string {
  const { manifest, scenarios, looks, name, link } = of;
  const figures = scenarios.flatMap((scenario) => [
    tradeoffFigure(scenario, looks, manifest.experiment),
    overTime(outDir, scenario),
  ]);
  return page(
    manifest,
    html`<p><a href="report.html">All paths</a></p>
      <p>${name}: ${describeLink(link)}</p>
      ${figures.map((figure, index) => figureSection(figure, index + 1))} ${scenarios.map(scenarioTable)}`,
    `${manifest.experiment.name}: ${name}`,
  );
}

const tradeoffFigure = (
  scenario: Scenario,
  looks: readonly Look[],
  { from_s }: PantheonSettings,
): Figure => ({
  title: `Throughput against delay: ${formatTitle(scenario)}`,
  caption: `Each mark is the mean of a scheme's runs, the shaded ellipse one standard deviation of them (three runs or more). The first ${from_s} s, the start-up, are not counted. Paper: Figure 3.2.`,
  charts: [tradeoffChart(formatTitle(scenario), scenario.schemes, looks)],
  source: "packets.csv.gz of each run: the switch's report of every packet.",
});

const overTime = (outDir: string, scenario: Scenario): Figure => ({
  title: `Throughput and delay over time: ${formatTitle(scenario)}`,
  caption: 'The first run of each scheme, in steps of 0.25 s; shaded: the start-up. Paper: Figure 3.5b.',
  charts: scenario.schemes.flatMap(({ results }) => {
    const first = results.find(({ fault }) => fault === null);
    return first ? timeCharts(first, readPackets(outDir, first)) : [];
  }),
  columns: 2,
  folded: true,
  source: 'packets.csv.gz of each run.',
});

function page(manifest: Manifest<PantheonSettings>, body: Markup, title = manifest.experiment.name): string {
  const { experiment, place } = manifest;
  const { runs, seconds, schemes } = experiment;
  return studyPage(
    manifest,
    {
      title,
      lead: 'Congestion-control schemes that people run, each as a full-throttle flow: how much each delivers, and how late.',
      facts: [
        ['Runs', `${schemes.length} schemes, ${runs} runs of each on each path, ${seconds} s each`],
        ['Clock', `${place.backend}, ${place.link}, ${place.clock}`],
      ],
    },
    body,
  );
}
