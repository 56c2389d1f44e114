/** Seeded, so that a report made twice is the same to the last digit; the switch draws by the same. */
export { seededRandom, type Random } from '../../p4/switch/link/seeded-random.ts';
