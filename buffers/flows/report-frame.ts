import type { Markup } from '../../emulation/ground/drawing/html.ts';
import { studyPage } from '../../emulation/harness/report/study-page.ts';
import type { Manifest } from '../../emulation/harness/runs/manifest.ts';
import type { Settings } from '../../emulation/harness/runs/study.ts';
import type { LinkSize } from './link-size.ts';

/** What the report of an experiment of flows says of itself before its figures. */
interface Frame {
  readonly lead: string;
  readonly runs: readonly [term: string, text: string];
  /** Behind what is said of every link. */
  readonly link?: string;
  readonly packet?: string;
  /** Instead of the machine's. */
  readonly kernel?: string | undefined;
}

/** The page of an experiment of flows: what was run by whom and over which link, and then `body`. */
export function flowsPage(
  manifest: Manifest<Settings & LinkSize>,
  { runs, link = '', packet = '1514 bytes', ...frame }: Frame,
  body: Markup,
): string {
  const { rate_bit_s, base_rtt_ms, bdp_packets } = manifest.experiment;
  const size = `${rate_bit_s / 1e6} Mbit/s of Ethernet frames, base RTT ${base_rtt_ms} ms, BDP ${bdp_packets.toFixed(1)} packets of ${packet}${link}`;
  return studyPage(manifest, { ...frame, facts: [runs, ['Link', size]] }, body);
}
