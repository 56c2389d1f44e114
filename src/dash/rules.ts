import type { DashPlayer } from './player.ts';

/** The names of Sammy's rules, in reasons and logs. */
export const RULE = 'SammyRule';
export const ABANDON_RULE = 'SammyAbandonRule';

/** Gives dash.js a rule that chooses and one that abandons; the returned function takes both out again. */
export function addRules(player: DashPlayer, choose: object, abandon: object): () => void {
  const add = (type: string, name: string, instance: object) => {
    player.addABRCustomRule(type, name, () => ({ create: () => instance }));
  };
  add('qualitySwitchRules', RULE, choose);
  add('abandonFragmentRules', ABANDON_RULE, abandon);
  return () => {
    player.removeABRCustomRule(RULE);
    player.removeABRCustomRule(ABANDON_RULE);
  };
}
