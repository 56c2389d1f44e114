import type { Decision } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import type { Kbps } from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';
import { Consent } from './consent.ts';
import { NetworkModel, type LearningContext, type Lesson } from './network-model.ts';
import type { Transfer } from './transfer.ts';

/** What is known of one origin (scheme, host and port), and of the way to it. */
export interface Origin {
  readonly consent: Consent;
  readonly network: NetworkModel;
  /** Of its last response from the network, also to a request for something else than a media segment. */
  receipt: Receipt | undefined;
}

/**
 * The origins of one session. A CDN may redirect to another (advertisements come from elsewhere), and so who is asked need
 * not be who answers: consent belongs to the one, all that a download teaches to the other.
 */
export class Origins {
  readonly #context: LearningContext;
  readonly #known = new Map<string, Origin>();
  /** Who answered last, by who was asked, and by media type. */
  readonly #answering = new Map<string, string>();
  /** Of the origin that answered last. */
  #last: NetworkModel | undefined;

  constructor(context: LearningContext) {
    this.#context = context;
    this.#last = this.at().network;
  }

  /** Where the player does not tell origins apart there is but one, without a name, which is asked without a trial. */
  at(name = ''): Origin {
    let origin = this.#known.get(name);
    if (!origin) {
      const { history, today } = this.#context;
      const consent = name === '' ? 'given' : history?.refuses(name, today()) ? 'refused' : 'untried';
      const network = new NetworkModel(this.#context, this.#last);
      origin = { consent: new Consent(consent), network, receipt: undefined };
      this.#known.set(name, origin);
    }
    return origin;
  }

  /** Who is expected to answer the next request, which goes to `asked`, if that is known. */
  expected(mediaType: MediaType, asked?: string): Origin {
    return this.at(this.#answering.get(asked ?? mediaType) ?? asked);
  }

  /** A request for a media segment has ended: its network is that of who answered. */
  ended(
    decision: Decision,
    transfer: Transfer,
    bound: () => Kbps,
    isTimed: boolean,
  ): { readonly network: NetworkModel; readonly lesson: Lesson } {
    const { origin: asked = '', receipt } = transfer;
    const name = transfer.answered_by ?? asked;
    this.#answering.set(decision.media_type, name).set(asked, name);
    const origin = this.at(name);
    const { network } = origin;
    this.#last = network;
    const lesson = network.learn(decision, transfer, bound, isTimed);
    // What was kept with an old response tells of an old connection.
    if (!lesson.fromCache) {
      origin.receipt = receipt;
      const { history, today } = this.#context;
      const isRefusal = this.at(asked).consent.ended(decision, transfer);
      if (isRefusal) history?.addRefusal(asked, today());
    }
    return { network, lesson };
  }
}
