import type { AbrChoice } from '../../abr/abr.ts';
import type { MediaType } from '../../session/decision.ts';
import type { Ladder, Rung } from '../../film/ladder.ts';
import { Abandonment, type RequestInFlight } from '../abandonment.ts';
import type { Hooks } from '../hooks.ts';
import { isPaceable, type DashPlayer } from '../player.ts';

/** The names of Sammy's rules, in reasons and logs. */
export const RULE = 'SammyRule';
export const ABANDON_RULE = 'SammyAbandonRule';

/** What dash.js gives a rule to go by, in every version. */
export interface RulesContext {
  getMediaType(): string;
  getCurrentRequest(): RequestInFlight;
}

/** How one version of dash.js talks with its rules. */
export interface Dialect<Context extends RulesContext> {
  /** The answer of a rule that has no wish, with the priority of those that have one. */
  readonly noChange: object;
  /** What can be chosen, and how an answer names a rung of it. */
  rungsOf(context: Context): {
    readonly ladder: Ladder | undefined;
    readonly switchTo: (rung: Rung) => object;
  };
  /** The rung of the segment in flight. */
  currentId(request: ReturnType<Context['getCurrentRequest']>): string | undefined;
}

export interface Rules {
  /** What the rule chose last, by media type. */
  readonly chosen: Map<string, Rung>;
  /** Takes the rules out, and silences them: dash.js may ask once more. */
  remove(): void;
}

/** Gives dash.js a rule that chooses rungs and one that gives downloads up. */
export function addRules<Context extends RulesContext>(
  player: DashPlayer,
  hooks: Hooks,
  dialect: Dialect<Context>,
): Rules {
  let removed = false;
  const chosen = new Map<string, Rung>();
  const abandonment = new Abandonment(hooks);

  type Choose = (mediaType: MediaType, ladder: Ladder, context: Context) => AbrChoice | undefined;
  const answering = (rule: string, choose: Choose) => (context: Context) => {
    const mediaType = context.getMediaType();
    if (removed || !isPaceable(mediaType)) return dialect.noChange;
    const { ladder, switchTo } = dialect.rungsOf(context);
    const choice = ladder && choose(mediaType, ladder, context);
    if (!choice) return dialect.noChange;
    return { ...dialect.noChange, ...switchTo(choice.rung), reason: { rule, message: choice.reason } };
  };

  const choose = answering(RULE, (mediaType, ladder) => {
    const choice = hooks.chooseRung(mediaType, ladder);
    if (choice) chosen.set(mediaType, choice.rung);
    return choice;
  });
  const abandon = answering(ABANDON_RULE, (_, ladder, context) => {
    if (hooks.playerChooses()) return undefined;
    const request = context.getCurrentRequest() as ReturnType<Context['getCurrentRequest']>;
    const rung = abandonment.choose(request, ladder, dialect.currentId(request));
    return rung && { rung, reason: 'would outlast the buffer' };
  });

  const add = (type: string, name: string, rule: object) => {
    player.addABRCustomRule(type, name, () => ({ create: () => ({ getClassName: () => name, ...rule }) }));
  };
  // dash.js 5 and 4.7 have different names for the same question.
  add('qualitySwitchRules', RULE, { getSwitchRequest: choose, getMaxIndex: choose });
  add('abandonFragmentRules', ABANDON_RULE, {
    shouldAbandon: abandon,
    reset: () => {
      abandonment.reset();
    },
  });
  return {
    chosen,
    remove() {
      removed = true;
      player.removeABRCustomRule(RULE);
      player.removeABRCustomRule(ABANDON_RULE);
    },
  };
}
