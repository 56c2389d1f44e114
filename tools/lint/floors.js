import { dirname, relative, resolve, sep } from 'node:path';

/**
 * A rule that a house of rooms has floors: a room imports from rooms of lower floors only, so that no change is felt above
 * and below at once. `floors` are lists of rooms, the lowest first: folders of `house`, or single files in it. What is on no
 * floor stands above all, if it is a file of the house itself, and is else an error.
 */
export const floors = {
  meta: { type: 'problem', schema: [{ type: 'object' }] },
  create(context) {
    const [{ house, floors }] = context.options;
    const rooms = floors.flat();
    const pathOf = (file) => relative(house, file).split(sep).join('/');
    const holds = (room, path) => path === `${room}.ts` || path.startsWith(`${room}/`);
    // A room may have another in it, on a floor of its own.
    const roomOf = (path) => rooms.filter((room) => holds(room, path)).sort((a, b) => b.length - a.length)[0];
    const floorOf = (room) => floors.findIndex((floor) => floor.includes(room));

    const path = pathOf(context.filename);
    const own = roomOf(path);
    if (own === undefined) {
      if (!path.includes('/')) return {};
      const message = `${path} is in no room of FLOORS in eslint.config.js; put it on the lowest floor that it can be on.`;
      return { Program: (node) => context.report({ node, message }) };
    }
    const check = (node) => {
      const from = node.source?.value;
      if (typeof from !== 'string' || !from.startsWith('.')) return;
      const other = pathOf(resolve(dirname(context.filename), from));
      if (other.startsWith('..')) return;
      const room = roomOf(other);
      if (room === own || (room !== undefined && floorOf(room) < floorOf(own))) return;
      const message = `${own} is not above ${room ?? other}: see FLOORS in eslint.config.js.`;
      context.report({ node: node.source, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};
