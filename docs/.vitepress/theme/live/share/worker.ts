import { serve } from '../worker/serve.ts';
import { curve } from './curve.ts';

serve(curve);
