import type { Decision } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import type { Kbps } from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';
import { Consent } from './consent.ts';
import { NetworkModel, type LearningContext, type LearningResult } from './network-model.ts';
import type { Transfer } from './transfer.ts';

/** The state of one origin (scheme, host and port) and of the network path to that origin. */
export interface Origin {
  readonly consent: Consent;
  readonly network: NetworkModel;
  /** The receipt of the origin's latest network response, including responses that are not media segments. */
  receipt: Receipt | undefined;
}

/**
 * The origins of one session. A CDN may redirect a request, so the answering origin may differ from the requested one.
 * Consent belongs to the requested origin, the network model and the receipt to the answering origin.
 */
export class Origins {
  readonly #context: LearningContext;
  readonly #known = new Map<string, Origin>();
  /** The origin that answered last, by requested origin and by media type. */
  readonly #answering = new Map<string, string>();
  /** Network model of the origin that answered last. */
  #last: NetworkModel | undefined;

  constructor(context: LearningContext) {
    this.#context = context;
    this.#last = this.getOrigin().network;
  }

  /**
   * Returns the state of an origin. A player that does not report origins has a single unnamed origin, which is assumed
   * to answer requests with `rtp`.
   */
  getOrigin(name = ''): Origin {
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

  /** Returns the origin that is expected to answer the next request, given the requested origin `asked`, if known. */
  getExpected(mediaType: MediaType, asked?: string): Origin {
    return this.getOrigin(this.#answering.get(asked ?? mediaType) ?? asked);
  }

  /** Learns from a media segment request that has ended. Returns the network model of the answering origin. */
  learnFrom(
    decision: Decision,
    transfer: Transfer,
    bound: () => Kbps,
    isTimed: boolean,
  ): { readonly network: NetworkModel; readonly learned: LearningResult } {
    const { origin: asked = '', receipt } = transfer;
    const name = transfer.answered_by ?? asked;
    this.#answering.set(decision.media_type, name).set(asked, name);
    const origin = this.getOrigin(name);
    const { network } = origin;
    this.#last = network;
    const learned = network.learn(decision, transfer, bound, isTimed);
    // A cached response has the receipt of an old connection.
    if (!learned.fromCache) {
      origin.receipt = receipt;
      const isRefusal = this.getOrigin(asked).consent.learnFrom(decision, transfer);
      if (isRefusal) this.#context.history?.addRefusal(asked, this.#context.today());
    }
    return { network, learned };
  }
}
