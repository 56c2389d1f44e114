import { join } from 'node:path';
import { asFields, asNumber, asText } from '../report/check.ts';
import type { Manifest } from '../report/manifest.ts';
import { readJson } from '../report/read-json.ts';

/** `manifest.json`: what was run, by what, and when. */
export interface BufferManifest extends Pick<
  Manifest,
  'command' | 'commit' | 'versions' | 'kernel' | 'started' | 'units'
> {
  readonly experiment: 'buffer-single';
  readonly ended: string | null;
  readonly seconds: number;
  readonly runs: number;
  readonly rate_bit_s: number;
  readonly base_rtt_ms: number;
  readonly bdp_packets: number;
}

export const readBufferManifest = (outDir: string): BufferManifest =>
  readJson(join(outDir, 'manifest.json'), (value) => {
    const manifest = asFields(value, 'a manifest');
    if (manifest.experiment !== 'buffer-single') throw new Error('these are results of another experiment');
    for (const field of ['command', 'commit', 'kernel', 'started']) asText(manifest[field], field);
    for (const field of ['seconds', 'runs', 'rate_bit_s', 'base_rtt_ms', 'bdp_packets'])
      asNumber(manifest[field], field);
    return value as BufferManifest;
  });
