import type { Markup } from '../../emulation/ground/drawing/html.ts';
import { studyPage } from '../../emulation/harness/report/study-page.ts';
import type { Manifest } from '../../emulation/harness/runs/manifest.ts';
import type { Settings } from '../../emulation/harness/runs/study.ts';
import type { LinkSize } from './link-size.ts';

/** The information about the experiment that a report states before its figures. */
interface Frame {
  readonly lead: string;
  readonly runs: readonly [term: string, text: string];
  /** Appended to the description of the link. */
  readonly link?: string;
  readonly packet?: string;
  /** Replaces the machine's kernel. */
  readonly kernel?: string | undefined;
}

/** The page of an experiment of flows: the runs, the program that made them and the link, followed by `body`. */
export function flowsPage(
  manifest: Manifest<Settings & LinkSize>,
  { runs, link = '', packet = '1514 bytes', ...frame }: Frame,
  body: Markup,
): string {
  const { rate_bit_s, base_rtt_ms, bdp_packets } = manifest.experiment;
  const size = `${rate_bit_s / 1e6} Mbit/s of Ethernet frames, base RTT ${base_rtt_ms} ms, BDP ${bdp_packets.toFixed(1)} packets of ${packet}${link}`;
  return studyPage(manifest, { ...frame, facts: [runs, ['Link', size]] }, body);
}
