import { median } from '../src/median.ts';
import { averageRate } from '../src/units.ts';
import { SEGMENT_S } from './ladder.ts';
import type { QualitySidecar } from './sidecar.ts';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Describes the encoded ladder for people, with a line for each representation. */
export function describeSidecar(sidecar: QualitySidecar): string {
  const rows = Object.entries(sidecar.representations).map(([id, representation]) => {
    const rates = representation.segment_bytes.map((size, index) =>
      averageRate(size, sidecar.segment_duration_s[index] ?? SEGMENT_S),
    );
    const range = [Math.min(...rates), median(rates) ?? NaN, Math.max(...rates)].map((rate) =>
      rate.toFixed(0),
    );
    const format =
      representation.media === 'video' ? `${representation.width}x${representation.height}` : 'audio';
    const ssim = representation.media === 'video' ? mean(representation.segment_ssim_db).toFixed(1) : '';
    return [
      id,
      format,
      String(representation.bitrate_kbps),
      representation.average_kbps.toFixed(0),
      range.join(' / '),
      ssim,
    ];
  });
  const header = ['id', 'format', 'kbit/s', 'measured', 'segments min / median / max', 'SSIM dB'];
  const widths = header.map((title, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? title).length)),
  );
  return [header, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
