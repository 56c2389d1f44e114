import { INTERNAL_HEADERS } from '../internal-headers.ts';

/** The log endpoint of the service. */
export const LOG_ENDPOINT = 'sammy';

/** The log endpoint to which each beacon is written as a row. */
export const SESSIONS_ENDPOINT = 'sammy-sessions';

const MEDIA_PATH = /\.(m4[sva]|mp4|cmf[va]|webm|ts|aac)$/i;

/** Whether a request, possibly failed, is for media. Only such requests are logged; playlists and pages are not. */
export const isMedia = (url: URL, answer: Response): boolean =>
  MEDIA_PATH.test(url.pathname) || /^(video|audio)\//.test(answer.headers.get('Content-Type') ?? '');

/**
 * Returns a JSON object that describes a media request, with numbers and short texts only. It contains no address, no
 * cookie, no CMCD except the verdict, and no query, which may contain the token of a signed URL.
 */
export function logLine(request: Request, answer: Response, duration_ms: number): string {
  const url = new URL(request.url);
  const header = (name: string): number | null => {
    const text = answer.headers.get(name);
    return text === null ? null : Number(text);
  };
  return JSON.stringify({
    method: request.method,
    path: url.pathname,
    range: request.headers.get('Range'),
    status: answer.status,
    asked_kbps: header(INTERNAL_HEADERS.asked),
    pace_kbps: header(INTERNAL_HEADERS.pace),
    reason: answer.headers.get(INTERNAL_HEADERS.reason),
    congestion_control: answer.headers.get(INTERNAL_HEADERS.congestionControl),
    length_bytes: header('Content-Length'),
    // The time until the headers were ready, without the body, which the client receives later at its pace.
    duration_ms: Math.round(duration_ms),
  });
}
