import { decidePace, paceLimits, type PaceReason, type RequestVerdict } from '../../../../../edge/policy.ts';

export interface RequestAndLimits {
  readonly url: string;
  /** The operator's limits as typed by the visitor; empty for none. */
  readonly floor_kbps: string;
  readonly ceiling_kbps: string;
}

/** Returns the edge's verdict, or the error in the operator's limits. */
export function ask({
  url,
  floor_kbps,
  ceiling_kbps,
}: RequestAndLimits): RequestVerdict | { readonly error: string } {
  try {
    const [floor, ceiling] = [read('floor', floor_kbps), read('ceiling', ceiling_kbps)];
    const limits = paceLimits({
      ...(floor !== undefined && { floor_kbps: floor }),
      ...(ceiling !== undefined && { ceiling_kbps: ceiling }),
    });
    return decidePace({ url, headers: new Headers() }, limits);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function read(name: string, text: string): number | undefined {
  if (text.trim() === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text.trim())) return Number(text);
  throw new Error(`the ${name} is '${text}', expected kbit/s such as 2500`);
}

const WORDS: Readonly<Record<Exclude<PaceReason, `refused:${string}`>, string>> = {
  requested: 'as the player asks',
  'foreign-player':
    'raised to three times the top bitrate: the player is not the plug-in, and asks for less than it needs',
  floor: 'raised to the operator’s floor',
  ceiling: 'lowered to the operator’s ceiling',
  'no-rtp': 'the request asks for none',
  'switched-off': 'the operator has switched pacing off',
  experiment: 'the session is in a control arm',
  'error-response': 'the response is an error',
};

export function reasonWords(reason: PaceReason): string {
  if (!reason.startsWith('refused:')) return WORDS[reason as keyof typeof WORDS];
  return `the request's CMCD is refused (${reason.slice('refused:'.length)}), and the viewer does not suffer for it`;
}

const cmcd = (keys: string): string =>
  `https://cdn.example/film/v3300/7.m4s?CMCD=${encodeURIComponent(keys)}`;

export const EXAMPLES = [
  { title: 'the plug-in', url: cmcd('br=3300,io.github.dashjs-sammy,ot=v,rtp=9300') },
  { title: 'another player', url: cmcd('br=3300,ot=v,rtp=4000') },
  { title: 'no rtp', url: cmcd('br=3300,ot=v') },
  { title: 'not a number', url: cmcd('br=3300,rtp=fast') },
] as const;
