import ts from 'typescript';
import type { Source } from './sources.ts';

/** Openings of sentences that have no subject, or hide it behind a clause. */
const ODD_OPENING =
  /^(What|Of|So (?:many|much|long|often|far|large|small)|Is (?:told|asked|given)|Are told|Whoever|Nor|Those (?:of|that)|That which|Not to|Taken|Behind which|Beside which)\b/;

/** Endings of sentences that stop before their point. */
const ODD_ENDING = /\b(was|were|as is|goes by|told of|asked for it|of no use)\.$/;

/** Matches a possessive without a noun, such as "The ladder's." */
const FRAGMENT = /^(?:The|Its|Their|Our)\s[\w-]+(?:'s|s')\.$|(?:^|\s)(?:Ours|Theirs)\.$/;

/**
 * Matches function names that name neither an action nor a result. Good names are `getLadder` and `missingNginxReason`.
 */
const ODD_NAME = /[a-z0-9](?:Of|Lack|_of|_lack)$/;

/**
 * Matches every text with a violation, and few other texts. It saves time: parsing every file would take most of a
 * minute.
 */
const SUSPICIOUS = new RegExp(
  [
    `(?://|\\*)[\\s/*]*${ODD_OPENING.source.slice(1)}`,
    ODD_ENDING.source.replace('$', ''),
    "(?:'s|s'|Ours|Theirs)\\.",
    `(?<![.\\w])\\w*${ODD_NAME.source.replace('$', '\\b')}`,
  ]
    .join('|')
    .replaceAll(' ', '[\\s/*]+'),
);

/** Whether a text may violate the rules. */
export const isSuspicious = (text: string): boolean => SUSPICIOUS.test(text);

export interface Violation {
  /** `PATH:LINE`. */
  readonly where: string;
  readonly problem: string;
}

/** The comments of languages other than TypeScript, by the end of a file's name. */
const COMMENTS: Readonly<Record<string, RegExp>> = {
  // Python's comments and docstrings.
  py: /^[ \t]*(?:#:? .*(?:\n[ \t]*#:? .*)*|"""[^]*?""")/gm,
  rs: /^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*/gm,
  go: /^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*/gm,
  c: /\/\*[^]*?\*\//g,
  h: /\/\*[^]*?\*\//g,
  vcl: /^[ \t]*#.*(?:\n[ \t]*#.*)*/gm,
  sh: /^[ \t]*#.*(?:\n[ \t]*#.*)*/gm,
};

/** Matches the files that `checkText` can read. */
export const OTHER_LANGUAGES = new RegExp(`\\.(${Object.keys(COMMENTS).join('|')})$`);

/** Checks the comments of a file in another language than TypeScript, and the function names of Python. */
export function checkText(path: string, text: string): Violation[] {
  const ending = OTHER_LANGUAGES.exec(path)?.[1] ?? '';
  const locate = (index: number) => `${path}:${text.slice(0, index).split('\n').length}`;
  const comments = [...text.matchAll(COMMENTS[ending] ?? /$^/g)].flatMap(({ 0: raw, index }) => {
    const problem = findCommentProblem(
      raw.replaceAll(/(?:^|\n)[ \t]*(?:\/\/[/!]?|\/?\*+|#:?|""")?[ \t]*/g, ' ').trim(),
    );
    return problem === undefined ? [] : [{ where: locate(index + raw.search(/\S/)), problem }];
  });
  const names = ending === 'py' ? text.matchAll(/^[ \t]*def (\w+)/gm) : [];
  return [
    ...comments,
    ...[...names].flatMap(({ 1: name = '', index }) =>
      ODD_NAME.test(name) ? [{ where: locate(index), problem: describeName(name) }] : [],
    ),
  ];
}

const describeName = (name: string) => `the function ${name} is not named by an action or its result`;

/** Checks the comments and the function names of a source. */
export const checkPlainLanguage = (source: Source): Violation[] => [
  ...checkComments(source),
  ...checkNames(source),
];

/** Returns the problem with a comment's text, or undefined. */
export function findCommentProblem(text: string): string | undefined {
  const opening = ODD_OPENING.exec(text)?.[0];
  if (opening !== undefined) return `the comment begins with '${opening}'`;
  if (FRAGMENT.test(text)) return `the comment '${text}' is a fragment`;
  for (const sentence of text.split(/(?<=\.) /)) {
    const ending = ODD_ENDING.exec(sentence)?.[0];
    if (ending !== undefined) return `a sentence of the comment ends with '${ending}'`;
  }
  return undefined;
}

function checkComments({ path, tree }: Source): Violation[] {
  const violations: Violation[] = [];
  let lineComment = { line: -1, end: -2, text: '' };
  const finishLines = () => {
    report(lineComment.line, lineComment.text);
    lineComment = { line: -1, end: -2, text: '' };
  };
  const report = (line: number, text: string) => {
    const problem = findCommentProblem(text);
    if (problem !== undefined) violations.push({ where: `${path}:${line + 1}`, problem });
  };
  for (const { pos, end } of findComments(tree)) {
    const raw = tree.text.slice(pos, end);
    const { line } = tree.getLineAndCharacterOfPosition(pos);
    if (raw.startsWith('/*')) report(line, blockText(raw));
    else if (line === lineComment.end + 1)
      lineComment = { ...lineComment, end: line, text: `${lineComment.text} ${lineText(raw)}` };
    else {
      finishLines();
      lineComment = { line, end: line, text: lineText(raw) };
    }
  }
  finishLines();
  return violations;
}

const lineText = (raw: string): string => raw.replace(/^\/\/\s?/, '');

const blockText = (raw: string): string =>
  raw
    .replace(/^\/\*+|\*+\/$/g, '')
    .replace(/\n\s*\*?\s*/g, ' ')
    .trim();

/** Returns the start and the end of each comment, in order. */
function findComments(tree: ts.SourceFile): { readonly pos: number; readonly end: number }[] {
  const literals = findLiterals(tree);
  let next = 0;
  const comments: { pos: number; end: number }[] = [];
  const pattern = /\/\/.*|\/\*[^]*?\*\//g;
  for (let match = pattern.exec(tree.text); match; match = pattern.exec(tree.text)) {
    const { index } = match;
    while ((literals[next]?.end ?? Infinity) <= index) next++;
    const literal = literals[next];
    if (literal && literal.pos <= index) pattern.lastIndex = literal.end;
    else comments.push({ pos: index, end: pattern.lastIndex });
  }
  return comments;
}

/** Returns the literals of a file in order, because their text may look like a comment. */
function findLiterals(tree: ts.SourceFile): { readonly pos: number; readonly end: number }[] {
  const literals: { pos: number; end: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isRegularExpressionLiteral(node) || ts.isTemplateExpression(node))
      literals.push({ pos: node.getStart(tree), end: node.getEnd() });
    else ts.forEachChild(node, visit);
  };
  visit(tree);
  return literals;
}

function checkNames({ path, tree }: Source): Violation[] {
  const violations: Violation[] = [];
  const visit = (node: ts.Node): void => {
    const name = functionName(node);
    if (name && ODD_NAME.test(name.text)) {
      const { line } = tree.getLineAndCharacterOfPosition(name.getStart(tree));
      violations.push({ where: `${path}:${line + 1}`, problem: describeName(name.text) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return violations;
}

/** Returns the name of a function, a method, or a variable or property that holds a function. */
function functionName(node: ts.Node): ts.Identifier | ts.PrivateIdentifier | undefined {
  const holdsFunction =
    (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node)) &&
    node.initializer !== undefined &&
    (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer));
  const isFunction =
    ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node);
  if (!holdsFunction && !isFunction) return undefined;
  const { name } = node;
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? name : undefined;
}
