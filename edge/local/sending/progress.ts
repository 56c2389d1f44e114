/** The progress of sending a body. */
export class Progress {
  /** The number of bytes written. */
  bytes = 0;
  /** The number of bytes that the kernel has accepted. */
  taken = 0;
  /** The value of `position` when the kernel last accepted bytes. */
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
