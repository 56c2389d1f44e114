import { readSidecar, sizesFromSidecar, type Sidecar } from '../../film/sidecar.ts';
import type { SegmentSizes } from '../../film/segments.ts';
import { errorMessage } from '../warnings.ts';

export interface SidecarOptions {
  /**
   * Receives one message if the sidecar could not be fetched or is invalid.
   * @defaultValue the console
   */
  readonly warn?: (message: string) => void;
}

/**
 * Returns the value for the option `sidecar`: the size and quality of the segments, from a sidecar or its URL. Sizes
 * and quality are unknown until a URL has been fetched. Throws an Error that describes the problem if an invalid
 * sidecar is passed directly.
 */
export function sidecar(given: Sidecar | string, { warn = toConsole }: SidecarOptions = {}): SegmentSizes {
  if (typeof given !== 'string') return sizesFromSidecar(readSidecar(given));
  let sizes: SegmentSizes | undefined;
  fetchSidecar(given).then(
    (fetched) => (sizes = sizesFromSidecar(fetched)),
    (error: unknown) => {
      warn(`sidecar ${given}: ${errorMessage(error)}`);
    },
  );
  return { upcoming: (...segments) => sizes?.upcoming(...segments) };
}

async function fetchSidecar(url: string): Promise<Sidecar> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return readSidecar(await response.json());
}

const toConsole = (message: string): void => {
  console.warn(message);
};
