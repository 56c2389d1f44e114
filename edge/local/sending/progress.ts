/** How far the sending of a body has come. */
export class Progress {
  /** The bytes that were written, and those of them that the kernel has taken. */
  bytes = 0;
  taken = 0;
  /** The socket's position behind the last byte that the kernel has taken. */
  endsAt: number | undefined;
  /** Whether all of the body was written. */
  ended = false;
  /** Whether the source of the body failed. */
  bodyFailed = false;

  constructor(
    /** The number of bytes that the socket has been given. */
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
