/** Seeded, so that a report made twice is the same to the last digit; the switch draws by the same. */
export { seededRandom, type Random } from '../../../system/random/seeded-random.ts';
