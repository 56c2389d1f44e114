/**
 * Returns the RFC 6381 name of a VP9 stream, `vp09.PP.LL.DD` (profile, level, bit depth). Reads it from the `vpcC` box
 * of the stream's init segment ("VP Codec ISO Media File Format Binding" §2.2).
 */
export function vp9CodecString(initSegment: Uint8Array): string {
  const box = Buffer.from(initSegment);
  const at = box.indexOf('vpcC');
  if (at < 0)
    throw new Error('ffmpeg wrote an init segment without a vpcC box: is its VP9 in MP4 support broken?');
  // After the box type follow version and flags (4 bytes), profile, level, and the bit depth in the upper four bits.
  const [profile = 0, level = 0, depth = 0] = box.subarray(at + 8);
  return ['vp09', ...[profile, level, depth >> 4].map((field) => String(field).padStart(2, '0'))].join('.');
}
