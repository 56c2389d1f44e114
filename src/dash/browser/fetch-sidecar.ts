import { readSidecar, type Sidecar } from '../../film/sidecar.ts';

export async function fetchSidecar(url: string): Promise<Sidecar> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return readSidecar(await response.json());
}
