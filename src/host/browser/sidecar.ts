import { readSidecar, sizesFromSidecar, type Sidecar } from '../../film/sidecar.ts';
import type { SegmentSizes } from '../../film/segments.ts';
import { messageOf } from '../warnings.ts';

export interface SidecarOptions {
  /**
   * Takes one line when the sidecar could not be fetched or is none.
   * @defaultValue the console
   */
  readonly warn?: (message: string) => void;
}

/**
 * For the option `sidecar`: the size and quality of a film's segments, from a sidecar, or from the URL to fetch it from, with
 * nothing known until it has arrived. Throws an Error that names what is wrong with a sidecar that is given.
 */
export function sidecar(given: Sidecar | string, { warn = toConsole }: SidecarOptions = {}): SegmentSizes {
  if (typeof given !== 'string') return sizesFromSidecar(readSidecar(given));
  let sizes: SegmentSizes | undefined;
  fetchSidecar(given).then(
    (fetched) => (sizes = sizesFromSidecar(fetched)),
    (error: unknown) => {
      warn(`sidecar ${given}: ${messageOf(error)}`);
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
