import { SimulatedPlayer } from './player/player.ts';
import type { SimulatedResult, SimulatedSession } from './simulated-session.ts';

/** Plays one session from beginning to end. Throws an Error for what it cannot simulate. */
export const simulateSession = (session: SimulatedSession): SimulatedResult =>
  new SimulatedPlayer(session).play();
