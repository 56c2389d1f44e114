import { describe } from 'vitest';
import { testHls } from './hls-behaviors.ts';

describe('hls.js 1.6', () => testHls('1.6'));
