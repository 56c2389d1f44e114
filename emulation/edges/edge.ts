import type { ResponseEvent } from '../../edge/local/server.ts';
import type { TcpInfo } from '../../edge/local/kernel/tcp-info.ts';
import type { Origin } from '../../edge/origin.ts';
import type { OnProgress } from '../../system/progress.ts';

/** What serves the film of a session: one of those that are deployed. To add one is to add a file and a line in index.ts. */
export interface LabEdge<Name extends string = string> {
  readonly name: Name;
  /** Installs or builds what it needs, once before all runs; its version. Throws an Error of one line for what it lacks. */
  prepare(onProgress: OnProgress): Promise<string>;
  /** Serves `origin` on all addresses, paced as requests ask. */
  start(origin: Origin, options: { readonly congestionControl: string }): Promise<MediaEdge>;
}

/** One that runs. Its port carries video and nothing else. */
export interface MediaEdge {
  readonly port: number;
  /** The responses that have ended so far, in that order. */
  responses(): Promise<readonly EndedResponse[]>;
  close(): Promise<void>;
}

/** A response, and what its connection had sent once the client had it. */
export interface EndedResponse extends Pick<ResponseEvent, 'url' | 'connection'> {
  readonly tcp: Pick<TcpInfo, 'bytes_sent' | 'bytes_retrans'> | null;
}
