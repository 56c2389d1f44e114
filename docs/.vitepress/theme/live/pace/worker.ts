import { serve } from '../worker/serve.ts';
import { bothWays } from './segment.ts';

serve(bothWays);
