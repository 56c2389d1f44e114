/**
 * The public part of a Shaka Player. Declared here, so that the type declarations of Shaka Player are not needed to compile an
 * application, and enough to tell a player from any other object.
 */
export interface ShakaLike {
  getConfiguration(): object;
  getNetworkingEngine(): object | null;
  getBufferedInfo(): object;
}
