import { errorLine } from '../../../system/error-line.ts';
import { resolveOptions } from '../../../src/options.ts';
import type { Arm } from './arm.ts';

/**
 * Checks the plug-in's options of an arm before any run. Throws an Error of one line that names the arm and the option.
 */
export function checkArm({ name, sammy: { summary: _, ...options } }: Pick<Arm, 'name' | 'sammy'>): void {
  try {
    resolveOptions(options);
  } catch (error) {
    throw new Error(`arm ${name}: ${errorLine(error)}`, { cause: error });
  }
}
