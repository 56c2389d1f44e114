import { serve } from '../worker/serve.ts';
import { playAll } from './play.ts';

serve(playAll);
