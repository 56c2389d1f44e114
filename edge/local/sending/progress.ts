/** The progress of sending a body. */
export class Progress {
  /** The number of bytes written, and the number accepted by the kernel. */
  bytes = 0;
  taken = 0;
  /** The socket's position after the last byte that the kernel has accepted. */
  endsAt: number | undefined;
  /** Whether the entire body was written. */
  ended = false;
  /** Whether the source of the body failed. */
  bodyFailed = false;

  constructor(
    /** Returns the number of bytes passed to the socket since it was opened. */
    readonly position?: () => number,
  ) {}

  wrote(bytes: number): void {
    this.bytes += bytes;
  }

  took(bytes: number): void {
    this.taken += bytes;
    this.endsAt = this.position?.();
  }
}
