/**
 * Returns request targets that some servers treat like `path`, which is `/FOLDER/FILE`. If a cache treats such a target
 * like `path`, but the origin responds with other content, the cache serves this content to everybody who requests
 * `path`.
 */
export function listSpellings(path: string): Record<string, string> {
  const [, folder = '', file = ''] = path.split('/');
  const hex = (text: string): string => `%${text.charCodeAt(0).toString(16)}`;
  return {
    'two slashes': `/${folder}//${file}`,
    'two slashes first': `/${path}`,
    'a dot': `/${folder}/./${file}`,
    'two dots': `/x/../${folder}/${file}`,
    'two dots above the root': `/../${folder}/${file}`,
    'dots, encoded': `/x/%2e%2E/${folder}/${file}`,
    'a letter, encoded': `/${folder}/${hex(file)}${file.slice(1)}`,
    'a slash, encoded': `/${folder}%2f${file}`,
    'an encoded letter, encoded again': `/${folder}/%25${hex(file).slice(1)}${file.slice(1)}`,
    'a query that is empty': `${path}?`,
    'a fragment': `${path}#x`,
    'an absolute URL of another path': `http://localhost/${folder}//${file}`,
  };
}
