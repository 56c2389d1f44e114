import type { Decision } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import type { Kbps } from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';
import { Consent } from './consent.ts';
import { NetworkModel, type LearningContext, type Lesson } from './network-model.ts';
import type { Transfer } from './transfer.ts';

/** The state of one origin (scheme, host and port) and of the network path to it. */
export interface Origin {
  readonly consent: Consent;
  readonly network: NetworkModel;
  /** Receipt of its last response from the network, also of a response that is no media segment. */
  receipt: Receipt | undefined;
}

/**
 * The origins of one session. A CDN may redirect a request, so the origin that answers may differ from the one that was asked.
 * Consent belongs to the origin that was asked, the network model and the receipt to the one that answers.
 */
export class Origins {
  readonly #context: LearningContext;
  readonly #known = new Map<string, Origin>();
  /** The origin that answered last, by the origin that was asked and by media type. */
  readonly #answering = new Map<string, string>();
  /** Network model of the origin that answered last. */
  #last: NetworkModel | undefined;

  constructor(context: LearningContext) {
    this.#context = context;
    this.#last = this.at().network;
  }

  /** Returns the state of an origin. A player that does not report origins has a single one without a name and without a trial. */
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

  /** Returns the origin that is expected to answer the next request, which goes to `asked`, if that is known. */
  expected(mediaType: MediaType, asked?: string): Origin {
    return this.at(this.#answering.get(asked ?? mediaType) ?? asked);
  }

  /** Learns from a request for a media segment that has ended. Returns the network model of the origin that answered. */
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
    // A cached response has the receipt of an old connection.
    if (!lesson.fromCache) {
      origin.receipt = receipt;
      const { history, today } = this.#context;
      const isRefusal = this.at(asked).consent.ended(decision, transfer);
      if (isRefusal) history?.addRefusal(asked, today());
    }
    return { network, lesson };
  }
}
