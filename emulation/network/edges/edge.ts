import type { ResponseEvent } from '../../../edge/local/server.ts';
import type { TcpInfo } from '../../../edge/local/kernel/tcp-info.ts';
import type { Origin } from '../../../edge/origin.ts';
import type { OnProgress } from '../../../system/progress.ts';

/**
 * An edge server that serves the video of a session as in a deployment. To add one, add a file and a line in index.ts.
 */
export interface LabEdge {
  /**
   * Installs or builds the edge's requirements, once before all runs. Returns its version; throws an Error of one line
   * on failure.
   */
  prepare(onProgress: OnProgress): Promise<string>;
  /** Serves `origin` on all addresses, and paces each response as its request asks. */
  start(origin: Origin, options: { readonly congestionControl: string }): Promise<MediaEdge>;
}

/** A running edge. Its port serves only video. */
export interface MediaEdge {
  readonly port: number;
  readonly scheme: 'http' | 'https';
  /** The responses that have ended, in the order in which they ended. */
  responses(): Promise<readonly EndedResponse[]>;
  close(): Promise<void>;
}

/** A response, and its connection's TCP counters after the client received the response. */
export interface EndedResponse extends Pick<ResponseEvent, 'url' | 'connection'> {
  readonly tcp: Pick<TcpInfo, 'bytes_sent' | 'bytes_retrans'> | null;
}
