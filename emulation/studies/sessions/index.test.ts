import { expect, it } from 'vitest';
import { findStudy, studies } from './index.ts';
import { single } from './single.ts';

it('gives each study a unique name that is valid for a folder', () => {
  const names = studies.map(({ name }) => name);
  expect(names.filter((name) => !/^[a-z][a-z0-9-]*$/.test(name))).toEqual([]);
  expect(names).toEqual([...new Set(names)]);
});

it('refuses two studies with the same name, such as copies', () => {
  const copied = [single, { ...single }];
  expect(() => findStudy('single', copied)).toThrow(/^2 studies are called 'single'; give each a name/);
  expect(() => findStudy('singel')).toThrow(/^no study 'singel' \(Did you mean single\?\); there are /);
});
