import { runQuietly } from '../../system/run-quietly.ts';
import { kbps, milliseconds, type Kbps, type Milliseconds } from '../../src/units.ts';

export interface CurlRequest {
  readonly url: string;
  readonly method?: string;
  /** The path and query, sent verbatim. */
  readonly target?: string;
  readonly headers?: readonly (readonly [string, string])[];
}

export interface CurlResponse {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly bytes: number;
  /** Time from the request to the last byte. */
  readonly time: Milliseconds;
  /** Goodput from the first byte to the last. */
  readonly goodput: Kbps;
  /** Why curl failed; null if it did not. */
  readonly error: string | null;
}

interface Written {
  readonly http_code: number;
  readonly size_download: number;
  readonly time_pretransfer: number;
  readonly time_starttransfer: number;
  readonly time_total: number;
  readonly errormsg?: string | null;
}

/**
 * Sends requests over HTTP/3 with curl, because Node does not support HTTP/3. Accepts any certificate. Uses one
 * connection for all requests. With `at_once`, the requests are concurrent.
 */
export async function curlHttp3(
  curl: readonly string[],
  requests: readonly CurlRequest[],
  {
    at_once = false,
    most_ms = 60_000,
    most_kB_per_s,
  }: {
    at_once?: boolean;
    /** Time after which the client aborts. */
    most_ms?: number;
    /** The client's read rate. */
    most_kB_per_s?: number;
  } = {},
): Promise<CurlResponse[]> {
  const [program = 'curl', ...loader] = curl;
  // Each request has its own `--output`, because curl would otherwise write all bodies into one file. Requests have no
  // bodies: if nginx answers before a body has arrived, it resets the stream, and curl may fail (6 of 1,040 POSTs;
  // 'send 1 bytes to QUIC, SSL error').
  const each = requests.map(({ url, method = 'GET', target, headers = [] }) => [
    ...['--http3-only', '--insecure', '--silent', '--globoff', '--path-as-is', '--output', '/dev/null'],
    ...['--max-time', String(most_ms / 1000), '--write-out', '%{json}\\n%{header_json}\\n\\n'],
    ...(method === 'HEAD' ? ['--head'] : ['--request', method, ...(method === 'POST' ? ['--data', ''] : [])]),
    ...(most_kB_per_s === undefined ? [] : ['--limit-rate', `${most_kB_per_s}k`]),
    ...(target === undefined ? [] : ['--request-target', target]),
    // curl omits a header with an empty value unless it is written with a semicolon at the end.
    ...headers.flatMap(([name, value]) => ['--header', value === '' ? `${name};` : `${name}: ${value}`]),
    url,
  ]);
  const args = each.flatMap((words, index) => (index === 0 ? words : ['--next', ...words]));
  const options = ['--disable', ...(at_once ? ['--parallel', '--parallel-max', '100'] : [])];
  // Ignore curl's exit status: a client that aborts early ends with an error.
  const written = await runQuietly('sh', [
    '-c',
    '"$@" || true',
    'sh',
    program,
    ...loader,
    ...options,
    ...args,
  ]);
  // `%{header_json}` prints an object over several lines; an empty line separates the responses.
  const answers = written.trim().split(/\n\n(?=\{")/);
  return answers.map((answer) => {
    const end = answer.indexOf('\n');
    const told = JSON.parse(answer.slice(0, end)) as Written;
    const headers = JSON.parse(answer.slice(end)) as Record<string, string[]>;
    return {
      status: told.http_code,
      header: (name: string) => headers[name.toLowerCase()]?.join(', ') ?? null,
      bytes: told.size_download,
      time: milliseconds((told.time_total - told.time_pretransfer) * 1000),
      goodput: kbps((told.size_download * 8) / 1000 / (told.time_total - told.time_starttransfer)),
      error: told.errormsg ?? null,
    };
  });
}
