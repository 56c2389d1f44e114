import { playhead, STEADY, type DrivenPage } from '../fixtures.ts';
import type { TestEdge } from '../test-edge.ts';

/** Opens the page of the contract with a player and its settings, and waits until the video moves. `more` are parameters of the page. */
export async function openContract(
  page: DrivenPage,
  { url }: TestEdge,
  player: string,
  settings: object = {},
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const query = new URLSearchParams({
    player,
    settings: JSON.stringify(settings),
    options: JSON.stringify(STEADY),
    ...more,
  });
  await page.goto(`${url}/contract.html?${query}`);
  await playhead(page, 0.2);
}
