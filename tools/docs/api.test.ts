import { expect, it } from 'vitest';
import { linkCitations } from './api.ts';

const LINK = 'https://doi.org/10.1145/3603269.3604839';

it('links sections of the paper, but not in code', () => {
  expect(linkCitations('needs (Sammy Eq. 1 for HYB), Sammy §5.2')).toBe(
    `needs ([Sammy Eq. 1](${LINK}) for HYB), [Sammy §5.2](${LINK})`,
  );
  const code = '```ts\n// Sammy Eq. 1\n```';
  expect(linkCitations(code)).toBe(code);
  expect(linkCitations(linkCitations('Sammy Appendix A'))).toBe(`[Sammy Appendix A](${LINK})`);
});
