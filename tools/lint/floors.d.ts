import type { Rule } from 'eslint';

export declare const floors: Rule.RuleModule;
