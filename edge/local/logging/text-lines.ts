import type { ResponseEvent } from '../response-event.ts';
import type { Lines } from './lines.ts';
import type { Stream } from './stream.ts';

/** Writes readable lines: responses and information to one stream, problems to another. */
export const textLines = (to: { readonly responses: Stream; readonly problems: Stream }): Lines => ({
  line: (level, text) => (level === 'info' ? to.responses : to.problems).write(`${text}\n`),
  response: (_, event) => to.responses.write(`${responseLine(event)}\n`),
});

function responseLine(event: ResponseEvent): string {
  const rate = (value: number | null) => (value === null ? '-' : String(value));
  return [
    // Encode spaces, which HTTP/2 allows in a path, because they separate the fields of a line.
    event.url.split('?', 1)[0]?.replaceAll(' ', '%20'),
    event.status,
    `rtp=${rate(event.asked_kbps)}`,
    `pace=${rate(event.pace_kbps)}`,
    event.reason,
    `${(event.bytes / 1000).toFixed(1)} kB`,
    `${event.duration_ms.toFixed(0)} ms`,
    ...(event.complete ? [] : ['incomplete']),
  ].join(' ');
}
