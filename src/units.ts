/**
 * Units as types. A value is an ordinary number at run time, but the compiler rejects kbit/s where bytes/s are
 * expected. All unit conversions of the project are in this file.
 */
declare const unit: unique symbol;
type Unit<Name extends string> = number & { readonly [unit]: Name };

/** Kilobits per second, 1 kbit = 1000 bit: CMCD `rtp`, ladders, throughput. */
export type Kbps = Unit<'kbit/s'>;
/** Bytes per second, as used by SO_MAX_PACING_RATE. */
export type BytesPerSecond = Unit<'byte/s'>;
/** Kibibytes per second, 1 KiB = 1024 bytes: Fastly's `client.socket.pace`. Its minimum of 128 is 1,048.576 kbit/s. */
export type KibibytesPerSecond = Unit<'KiB/s'>;
export type Seconds = Unit<'s'>;
export type Milliseconds = Unit<'ms'>;
export type Bytes = Unit<'byte'>;

// These are function declarations, because bundlers remove calls of a declared function that only returns its argument.
export function kbps(value: number): Kbps {
  return value as Kbps;
}
export function bytesPerSecond(value: number): BytesPerSecond {
  return value as BytesPerSecond;
}
export function kibibytesPerSecond(value: number): KibibytesPerSecond {
  return value as KibibytesPerSecond;
}
export function seconds(value: number): Seconds {
  return value as Seconds;
}
export function milliseconds(value: number): Milliseconds {
  return value as Milliseconds;
}
export function bytes(value: number): Bytes {
  return value as Bytes;
}

export const kbpsToBytesPerSecond = (rate: Kbps): BytesPerSecond => bytesPerSecond((rate * 1000) / 8);
export const bytesPerSecondToKbps = (rate: BytesPerSecond): Kbps => kbps((rate * 8) / 1000);
export const kbpsToKibibytesPerSecond = (rate: Kbps): KibibytesPerSecond =>
  kibibytesPerSecond((rate * 1000) / 8 / 1024);
export const kibibytesPerSecondToKbps = (rate: KibibytesPerSecond): Kbps => kbps((rate * 1024 * 8) / 1000);
export const bitsPerSecondToKbps = (bitsPerSecond: number): Kbps => kbps(bitsPerSecond / 1000);
export const secondsToMilliseconds = (time: Seconds): Milliseconds => milliseconds(time * 1000);
export const millisecondsToSeconds = (time: Milliseconds): Seconds => seconds(time / 1000);

/** The average rate of `size` in `time`; infinite if `time` is 0. */
export const averageRate = (size: Bytes, time: Seconds): Kbps => kbps((size * 8) / 1000 / time);
/** The duration of a transfer of `size` at `rate`. */
export const transferTime = (size: Bytes, rate: Kbps): Seconds => seconds((size * 8) / 1000 / rate);
/** The size of a transfer at `rate` during `time`. */
export const transferSize = (rate: Kbps, time: Seconds): Bytes => bytes((rate * 1000 * time) / 8);
