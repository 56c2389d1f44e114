import { expect, it } from 'vitest';
import { main } from '../../cli/command.ts';

it.each([
  [
    '--backend chromium',
    /^world does not run with --backend chromium; it runs with --backend model .*, or --backend light --link p4 --clock real$/,
  ],
  ['--backend quic', /^--backend is 'quic', expected one of chromium, page, light, model$/],
  ['--patience short', /^--patience is 'short', expected one of endless, krishnan-sitaraman$/],
  ['--hours 18-23', /^world: --hours needs --backend light$/],
  ['--backend light --shard 3/2', /^--shard is '3\/2', expected K\/N/],
  ['--backend light --hours 23-18', /^--hours is '23-18', expected two hours of a day/],
  ['--backend light --design switchback-hours', /^--design switchback-hours: over TCP a session takes up to/],
  ['--backend light --design cluster', /^--design is 'cluster', expected one of paired, ab, /],
  ['--backend light --treatment sammi', /^--treatment is 'sammi', expected one of cap, sammy, none$/],
  [
    '--backend light --table --design switchback',
    /^world: --table supports the designs paired, ab, but not switc/,
  ],
  ['--backend light --runs 3', /^world: --runs needs --table$/],
  ['--design ab --baseline-days 3', /^world: --baseline-days needs --design paired$/],
  ['--table --design aa', /^world: --table supports the designs paired, ab, switchback-hours, but not aa$/],
  ['--table --design ab --baseline-days 3', /^world: --baseline-days needs --design paired$/],
  ['--baseline-days -1', /^--baseline-days is '-1', expected a whole number from 0/],
  ['--format xlsx', /^--format is 'xlsx', expected one of csv, parquet$/],
  ['--metrics rtt', /^--metrics is 'rtt', expected one of chunk_throughput_kbps, /],
  ['--table --format parquet', /^world: --format and --metrics do not apply to --table/],
  ['--backend light --jobs 0', /^--jobs is '0', expected a whole number from 1/],
])('refuses %j in one line', async (line, message) => {
  await expect(main(['world', ...line.split(' ')])).rejects.toThrow(message);
});
