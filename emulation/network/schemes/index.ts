import { named } from '../../../system/command-line/suggestion.ts';
import { goSchemes } from './go-flows.ts';
import { ngtcp2 } from './ngtcp2.ts';
import { indigo, quinn } from './quinn.ts';
import type { Scheme } from './scheme.ts';
import { srt } from './srt.ts';
import { moreTcp, tcp } from './tcp.ts';

/** The schemes that run by default. The remaining schemes need a model, or the virtual machine's kernel. */
export const defaultSchemes: readonly Scheme[] = [...tcp, ...ngtcp2, ...quinn, ...goSchemes, srt];

/** The default schemes in the virtual machine, whose kernel has more congestion controls. */
export const virtualSchemes: readonly Scheme[] = [...defaultSchemes, ...moreTcp];

/** All schemes. To add one, add a file and a line here. */
export const schemes: readonly Scheme[] = [...virtualSchemes, ...indigo];

/** Finds a scheme by name. Throws an Error that lists the schemes and suggests a similar name if there is none. */
export const schemeNamed = (name: string): Scheme => named('scheme', name, schemes);
