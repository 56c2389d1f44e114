/** A DOM event, with the fields that players use. */
export class PageEvent {
  type: string;
  bubbles: boolean;
  cancelable: boolean;
  readonly detail: unknown;
  target: unknown = null;
  currentTarget: unknown = null;
  defaultPrevented = false;
  readonly isTrusted = false;
  timeStamp = 0;

  constructor(type: string, init: { bubbles?: boolean; cancelable?: boolean; detail?: unknown } = {}) {
    this.type = type;
    this.bubbles = init.bubbles ?? false;
    this.cancelable = init.cancelable ?? false;
    this.detail = init.detail ?? null;
  }

  /** Sets the fields of an event that `document.createEvent` has made. */
  initEvent(type: string, bubbles = false, cancelable = false): void {
    Object.assign(this, { type, bubbles, cancelable });
  }

  preventDefault(): void {
    this.defaultPrevented = this.cancelable;
  }

  stopPropagation(): void {
    // Nothing to do: events do not propagate.
  }

  stopImmediatePropagation(): void {
    // Nothing to do: a listener cannot stop later listeners.
  }
}
