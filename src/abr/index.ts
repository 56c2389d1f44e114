/** The second entry, `dashjs-sammy/abr`: every algorithm, one a line, and what it takes to write another. */
export { bba } from './bba.ts';
export { bola } from './bola.ts';
export { careful } from './careful.ts';
export { fugu } from './fugu/fugu.ts';
export { hyb } from './hyb.ts';
export { mpcHm } from './mpc/mpc-hm.ts';
export { robustMpcHm } from './mpc/robust-mpc-hm.ts';
export { scenarioMpc } from './mpc/scenario-mpc.ts';
export { pensieve } from './pensieve/pensieve.ts';

export { lookahead, nextSegment } from './lookahead.ts';
export { readTcpState } from '../wire/tcp-state.ts';
export { kbps } from '../units.ts';
export type * from './abr.ts';
export type { BbaOptions } from './bba.ts';
export type { BolaOptions } from './bola.ts';
export type { FuguOptions } from './fugu/fugu.ts';
export type { ModelSource } from './model-source.ts';
export type { HybOptions } from './hyb.ts';
export type { QoeOptions } from './qoe.ts';
export type { PensieveOptions } from './pensieve/pensieve.ts';
export type { ScenarioOptions } from './mpc/scenario-mpc.ts';
export type { Ladder, Rung } from '../film/ladder.ts';
export type { MediaType } from '../film/media-type.ts';
export type { Segment, SegmentSizes } from '../film/segments.ts';
export type { Bytes, Kbps, Milliseconds, Seconds } from '../units.ts';
export type { Receipt } from '../wire/receipt.ts';
export type { TcpFields, TcpState } from '../wire/tcp-state.ts';
