/**
 * A congestion-control scheme: a program that others keep, behind the one abstraction of Pantheon (§3.3.1), a full-throttle
 * flow from a sender to a receiver until both are ended. Nothing of a scheme is copied; a scheme says how its program is
 * installed and called.
 */
export interface Scheme {
  readonly name: string;
  readonly family: Family;
  /** One line: which congestion control of which program. */
  readonly about: string;
  /** SPDX identifier of the program. */
  readonly license: string;
  /** The package, with its version where it is fixed, or the part of Linux. */
  readonly source: string;
  readonly needs: Needs;
  /** The end that listens, and is started first; the other one connects to it. */
  readonly firstToListen: 'receiver' | 'sender';
  /** The words of the command; it runs until it is ended, in an empty folder of its own. */
  readonly receiver: (flow: FlowPlace) => readonly string[];
  readonly sender: (flow: FlowPlace) => readonly string[];
}

/** The transport that carries the scheme. */
export type Family = 'TCP' | 'QUIC' | 'uTP' | 'RTP' | 'SRT';

/** What a scheme needs of the machine. */
export interface Needs {
  /** Programs, by name, and the Debian packages that bring them. */
  readonly apt?: Readonly<Record<string, string>>;
  /** A program of `programs/` that Go builds into the cache. */
  readonly go?: string;
  /** The program of the crate `transport/`, which cargo builds. */
  readonly transport?: string;
  /** One that the kernel has, or that BPF loads. */
  readonly congestionControl?: string;
}

/** Where a flow runs. */
export interface FlowPlace {
  /** Of the end that listens. */
  readonly address: string;
  readonly port: number;
  /** The path of a program that the scheme needs. */
  readonly program: (name: string) => string;
  /** The kernel's name of a congestion control. */
  readonly congestionControl: (name: string) => string;
}
