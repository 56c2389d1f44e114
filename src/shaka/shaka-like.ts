/**
 * The public part of a Shaka Player that distinguishes a player from other objects. Declared here, so that an
 * application compiles without Shaka's type declarations.
 */
export interface ShakaLike {
  getConfiguration(): object;
  getNetworkingEngine(): object | null;
  getBufferedInfo(): object;
}
