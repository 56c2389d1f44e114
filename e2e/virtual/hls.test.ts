import { describe } from 'vitest';
import { testHls } from './hls-behaviors.ts';

// hls-1.6.long.test.ts tests the previous version.
describe('hls.js 1.7', () => testHls('1.7'));
