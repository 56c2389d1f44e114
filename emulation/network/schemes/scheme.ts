/**
 * A congestion-control scheme, implemented by an external program. Its interface is that of Pantheon (F. Yan, thesis,
 * §3.3.1): a sender transfers data to a receiver as fast as it can until both are ended. No code of a scheme is copied;
 * a scheme describes how to install and run its program.
 */
export interface Scheme {
  readonly name: string;
  readonly family: Family;
  /** One line: the congestion control and the program. */
  readonly about: string;
  /** SPDX identifier of the program. */
  readonly license: string;
  /** The package, with its version if it is fixed, or the part of Linux. */
  readonly source: string;
  readonly needs: Needs;
  /** The end that listens, which is started first; the other end connects to its port. */
  readonly firstToListen: 'receiver' | 'sender';
  /** The command and its arguments. The program runs in an empty folder of its own until it is ended. */
  readonly receiver: (flow: FlowPlace) => readonly string[];
  readonly sender: (flow: FlowPlace) => readonly string[];
}

/** The transport that carries the scheme. */
export type Family = 'TCP' | 'QUIC' | 'uTP' | 'RTP' | 'SRT';

/** The requirements of a scheme. */
export interface Needs {
  /** Maps programs to their Debian packages. */
  readonly apt?: Readonly<Record<string, string>>;
  /** A program in `programs/`, which Go builds into the cache. */
  readonly go?: string;
  /** A program of the crate `transport/`, which cargo builds. */
  readonly transport?: string;
  /** A congestion control of the kernel, or one that BPF loads. */
  readonly congestionControl?: string;
}

/** The properties of a flow that a scheme's command depends on. */
export interface FlowPlace {
  /** The address of the listening end. */
  readonly address: string;
  readonly port: number;
  /** Returns the path of a program that the scheme needs. */
  readonly program: (name: string) => string;
  /** Returns the kernel's name of a congestion control. */
  readonly congestionControl: (name: string) => string;
}
