import { CELLS, isInGate, testCell } from '../support/cells/cmcd.ts';

for (const cell of CELLS) if (!isInGate(cell)) testCell(cell);
