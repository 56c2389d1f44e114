import { parseOptions, type DeclaredOptions } from '../../system/command-line/parse-options.ts';
import { kbps } from '../../src/units.ts';
import { RTP_MAX_KBPS } from '../../src/wire/rtp.ts';
import { errorLine } from '../../system/error-line.ts';
import { printable } from '../../system/printable.ts';
import { progressPrinter } from '../../system/progress.ts';
import { parseUrl } from '../parse-url.ts';
import { readText } from './connection.ts';
import { describe } from './describe.ts';
import { findCurlHttp3 } from './examine-http3.ts';
import { examine, type ExamineOptions } from './examine.ts';
import { findSegment, isManifest } from './find-segment.ts';

export const CHECK_OPTIONS = {
  'rtp-kbps': {
    type: 'string',
    valueName: 'N',
    about: 'the pace to ask for (5000, or half of the unpaced rate if that is less)',
  },
  cmcd: { type: 'string', default: 'query', valueName: 'query|header', about: 'how to send CMCD (query)' },
  insecure: { type: 'boolean', default: false, about: 'accept any certificate' },
} as const satisfies DeclaredOptions;

/**
 * `check URL`: prints whether the URL is paced. The exit status is 0 only if the URL is paced and caches keep a single
 * copy.
 */
export async function check(args: string[]): Promise<void> {
  const { url: given, options } = readArguments(args);
  const print = progressPrinter();
  const url = isManifest(given)
    ? await findSegment(given, (manifest) => readText(manifest, options.insecure))
    : given;
  if (url !== given) console.log(printable(`the manifest names ${url.href}`));
  print({ task: `Checking ${printable(url.href)} (about 5 s)` });
  const findings = await examine(url, { ...options, curl: await findCurlHttp3() })
    .catch((error: unknown) => {
      if (error instanceof Error && /AbortError|TimeoutError/.test(error.name))
        throw new Error(`${url.href} did not send a megabyte within 8 s`, { cause: error });
      const certificate = /certificate|self-signed/.test(errorLine(error))
        ? '; --insecure asks all the same'
        : '';
      throw new Error(`${url.href} cannot be requested: ${errorLine(error)}${certificate}`, { cause: error });
    })
    .finally(() => print.end());
  const { ok, lines } = describe(findings);
  // Print all lines in one call, because a reader such as `head` may close the pipe after the first line.
  console.log(lines.map(printable).join('\n'));
  if (!ok) process.exitCode = 1;
}

function readArguments(args: string[]): { url: URL; options: ExamineOptions } {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: CHECK_OPTIONS,
  });
  const [text, ...more] = positionals;
  if (text === undefined || more.length > 0)
    throw new Error('check: expected one URL, of a media segment or of a manifest');
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`check: '${text}' is no http(s) URL`);
  const { cmcd, insecure, 'rtp-kbps': rtp } = values;
  if (cmcd !== 'query' && cmcd !== 'header') throw new Error(`--cmcd is '${cmcd}'; expected query or header`);
  const asked = Number(rtp);
  if (rtp !== undefined && !(Number.isInteger(asked) && asked >= 1 && asked <= RTP_MAX_KBPS))
    throw new Error(`--rtp-kbps is '${rtp}'; expected kbit/s, a whole number from 1 to ${RTP_MAX_KBPS}`);
  return { url, options: { by: cmcd, insecure, ...(rtp !== undefined && { rtp: kbps(asked) }) } };
}
