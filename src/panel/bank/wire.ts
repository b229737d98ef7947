// What is shown of our accounts at banks.

import { decimalFromMinor } from '../../kernel/index.ts';
import { nameOf, type Statements } from '../../statements/index.ts';

type Of<Name extends 'statements' | 'files' | 'waiting' | 'decisions'> = Awaited<ReturnType<Statements[Name]>>[number];
type Summaries = Awaited<ReturnType<Statements['summaries']>>;

const shown = (day: Temporal.PlainDate | null) => day?.toString() ?? null;

export const serializeAccount = ({ id: _id, closingMinor, ...account }: Summaries['accounts'][number]) => ({
  ...account,
  closing: closingMinor === null ? null : decimalFromMinor(closingMinor),
});

export function shareOf({ accounts, bookedMinor, underwayMinor, openingsMinor }: Summaries) {
  const bankMinor = accounts.reduce((sum, { closingMinor }) => sum + (closingMinor ?? 0n), 0n);
  return {
    bank: decimalFromMinor(bankMinor),
    books: decimalFromMinor(bookedMinor),
    underway: decimalFromMinor(underwayMinor),
    openings: decimalFromMinor(openingsMinor),
    unexplained: decimalFromMinor(bookedMinor - bankMinor - underwayMinor - openingsMinor),
    currency: 'PLN',
  };
}

export const serializeLine = ({ line, account, statement, proposed }: Of<'waiting'>) => ({
  id: line.id,
  account,
  statement,
  day: line.bookedOn.toString(),
  left: decimalFromMinor(line.leftMinor),
  title: line.title,
  party: line.partyName,
  isBalance: line.entry === 0,
  parkedAt: line.parkedAt?.toString() ?? null,
  proposed: proposed.map(({ kind, target }) => ({ decision: kind, target })),
});

export const serializeStatement = ({ statement, account, file }: Of<'statements'>) => ({
  id: statement.id,
  account,
  name: nameOf(statement),
  from: shown(statement.fromOn ?? statement.firstOn),
  to: shown(statement.toOn ?? statement.lastOn),
  lines: statement.lines,
  booked: statement.bookedLines,
  opening: decimalFromMinor(statement.openingMinor),
  closing: decimalFromMinor(statement.closingMinor ?? 0n),
  brought: decimalFromMinor(statement.broughtMinor),
  file,
});

export const serializeFile = ({ id, name, format, state, person, importedAt, lines, problem }: Of<'files'>) => ({
  id,
  name,
  format,
  state,
  by: person,
  at: importedAt.toString(),
  lines,
  problem,
});

export const serializeDecided = ({ bankLineId, kind, target, amountMinor, ...decided }: Of<'decisions'>) => ({
  lineId: bankLineId,
  decision: kind,
  target,
  amount: decimalFromMinor(amountMinor),
  by: decided.person,
  at: decided.at.toString(),
  undoneBy: decided.undoneBy,
  undoneAt: shownAt(decided.undoneAt),
});

const shownAt = (at: Temporal.Instant | null) => at?.toString() ?? null;
