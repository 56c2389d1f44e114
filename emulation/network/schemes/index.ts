import { named } from '../../../system/command-line/suggestion.ts';
import { goFlows } from './go-flows.ts';
import { ngtcp2 } from './ngtcp2.ts';
import { indigo, quinn } from './quinn.ts';
import type { Scheme } from './scheme.ts';
import { srt } from './srt.ts';
import { moreTcp, tcp } from './tcp.ts';

/** The schemes that run without asking; the others need a model, or the virtual machine's kernel. */
export const usualSchemes: readonly Scheme[] = [...tcp, ...ngtcp2, ...quinn, ...goFlows, srt];

/** Those that run without asking in the virtual machine, whose kernel has more of them. */
export const virtualSchemes: readonly Scheme[] = [...usualSchemes, ...moreTcp];

/** All schemes; to add one, add a file and a line here. */
export const schemes: readonly Scheme[] = [...virtualSchemes, ...indigo];

/** Throws an Error that lists the schemes, and names one that is like it, if there is none of that name. */
export const schemeNamed = (name: string): Scheme => named('scheme', name, schemes);
