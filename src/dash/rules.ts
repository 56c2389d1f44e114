import type { AbrChoice } from '../abr/abr.ts';
import type { MediaType } from '../film/media-type.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import { isReplacementWorthwhile } from '../session/replacement.ts';
import type { DashAttachment } from './session.ts';
import type { Takeover } from './takeover.ts';
import { isPaceable } from '../host/media-types.ts';
import type { DashPlayer, MediaRequest, FragmentRequest } from './player.ts';

/** Names of Sammy's rules, as they appear in dash.js's switch reasons and logs. */
const RULE = 'SammyRule';
const ABANDON_RULE = 'SammyAbandonRule';

/** Whether the player has Sammy's rule. The player's reset() removes the rule. */
export const hasSammyRule = (player: DashPlayer): boolean =>
  player.getABRCustomRules().some(({ rulename }) => rulename === RULE);

/** The arguments that every version of dash.js passes to a rule. */
export interface RulesContext {
  getMediaType(): string;
  getCurrentRequest(): FragmentRequest;
}

/** The format of rule calls and answers in one version of dash.js. */
export interface Dialect<Context extends RulesContext> {
  /** The answer that changes nothing. All answers have its priority. */
  readonly noChange: object;
  /** Returns the available rungs, and a function that converts a rung into an answer. */
  readRungs(context: Context): {
    readonly ladder: Ladder | undefined;
    readonly switchTo: (rung: Rung) => object;
  };
}

export interface Rules {
  /** The last choice of Sammy's rule, by media type. */
  readonly chosen: Map<string, Rung>;
  /** Removes the rules. If dash.js still asks them, they answer "no change". */
  remove(): void;
}

/**
 * Adds a rule that chooses rungs and a rule that abandons downloads. Each choice first reapplies the overrides of
 * `settings`.
 */
export function addRules<Context extends RulesContext>(
  player: DashPlayer,
  attachment: DashAttachment,
  dialect: Dialect<Context>,
  settings: Takeover,
): Rules {
  let removed = false;
  const chosen = new Map<string, Rung>();

  type Choose = (
    mediaType: MediaType,
    getLadder: () => Ladder | undefined,
    context: Context,
  ) => AbrChoice | undefined;
  const answering = (rule: string, choose: Choose) => (context: Context) =>
    attachment.guarded(() => {
      const mediaType = context.getMediaType();
      if (removed || !isPaceable(mediaType)) return undefined;
      // Read the ladder only when needed, because reading it from dash.js takes longer than the decision.
      let rungs: ReturnType<typeof dialect.readRungs> | undefined;
      const choice = choose(mediaType, () => (rungs = dialect.readRungs(context)).ladder, context);
      if (!choice) return undefined;
      const reason = { rule, message: choice.reason };
      return { ...dialect.noChange, ...rungs?.switchTo(choice.rung), reason };
    }) ?? dialect.noChange;

  const choose = answering(RULE, (mediaType, getLadder) => {
    settings.keep();
    if (settings.keepsStart(mediaType) && !attachment.currentSession.core.hasRequested(mediaType))
      return undefined;
    const ladder = getLadder();
    const choice = ladder && attachment.currentSession.chooseRung(mediaType, ladder);
    // An algorithm may call `detach` while it chooses.
    if (!choice || removed) return undefined;
    chosen.set(mediaType, choice.rung);
    settings.allowReplacing(isReplacementWorthwhile(choice.state, choice.rung));
    return choice;
  });
  const abandon = answering(ABANDON_RULE, (_, getLadder, context) => {
    // The cast is safe: dash.js calls this rule only for media requests, and `answering` has checked the media type.
    const rung = attachment.currentSession.chooseReplacementRung(
      context.getCurrentRequest() as MediaRequest,
      getLadder,
    );
    return rung && { rung, reason: 'too slow' };
  });

  const add = (type: string, name: string, rule: object) => {
    player.addABRCustomRule(type, name, () => ({ create: () => ({ getClassName: () => name, ...rule }) }));
  };
  // dash.js 5 calls `getSwitchRequest`, 4.7 calls `getMaxIndex`.
  add('qualitySwitchRules', RULE, { getSwitchRequest: choose, getMaxIndex: choose });
  add('abandonFragmentRules', ABANDON_RULE, { shouldAbandon: abandon });
  return {
    chosen,
    remove() {
      removed = true;
      player.removeABRCustomRule(RULE);
      player.removeABRCustomRule(ABANDON_RULE);
    },
  };
}
