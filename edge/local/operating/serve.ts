import { createHandler } from '../../handler.ts';
import { checkReachable, urlOrigin } from '../../url-origin.ts';
import { mountOrigins } from '../../via.ts';
import { directoryOrigin } from '../directory-origin.ts';
import { startEdge, type ResponseEvent } from '../server.ts';
import { Goodput } from './goodput.ts';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';

/**
 * Serves in this process as the settings say, with one line per response on stdout. Throws an Error when that fails.
 */
export async function serve(settings: Settings): Promise<Service> {
  const { congestionControl, tls } = settings;
  const onProblem = (line: string) => console.error(line);
  const open = (url: string) => urlOrigin(url, { onProblem });
  const isUrl = /^https?:\/\//i.test(settings.origin);
  const origin = mountOrigins({
    main: isUrl ? open(settings.origin) : await directoryOrigin(settings.origin),
    allowed: settings.allowedOrigins,
    open,
  });
  if (isUrl) await checkReachable(settings.origin);
  const goodput = new Goodput();
  const edge = await startEdge({
    handler: createHandler({
      origin,
      limits: settings.limits,
      ...(congestionControl && { congestionControl }),
      credentialsOrigins: settings.credentialsOrigins,
      onProblem,
    }),
    port: settings.port,
    host: settings.host,
    ...(tls && { tls }),
    // A connection begins with the congestion control of unpaced responses, so that only a paced one changes it.
    ...(congestionControl && {
      congestionControl: congestionControl.unpaced,
      furtherCongestionControls: [congestionControl.paced],
    }),
    maxConnections: settings.admission.connections,
    maxConnectionsPerAddress: settings.admission.perAddress,
    onResponse: (event) => {
      goodput.note(event);
      console.log(logLine(event));
    },
  });
  return {
    port: edge.port,
    url: edge.url,
    isServing: () => true,
    snapshot: () => ({ stats: edge.stats, goodput: goodput.sent }),
    drain: (patience) => edge.drain(patience),
    close: () => edge.close(),
  };
}

function logLine(event: ResponseEvent): string {
  const rate = (value: number | null) => (value === null ? '-' : String(value));
  return [
    event.url.split('?', 1)[0],
    event.status,
    `rtp=${rate(event.asked_kbps)}`,
    `pace=${rate(event.pace_kbps)}`,
    event.reason,
    `${(event.bytes / 1000).toFixed(1)} kB`,
    `${event.duration_ms.toFixed(0)} ms`,
    ...(event.complete ? [] : ['incomplete']),
  ].join(' ');
}
