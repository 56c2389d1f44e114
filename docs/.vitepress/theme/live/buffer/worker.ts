import { serve } from '../worker/serve.ts';
import { playOnce } from './flow.ts';

serve(playOnce);
