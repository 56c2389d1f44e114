import { CELLS, isInGate, testCell } from '../support/cmcd-cell.ts';

for (const cell of CELLS) if (!isInGate(cell)) testCell(cell);
