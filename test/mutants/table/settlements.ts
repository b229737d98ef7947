// Mutants of settlements.

import type { Mutant } from '../mutant.ts';

const file = 'test/settlements/settlements.test.ts';

export const settlementsMutants: readonly Mutant[] = [
  {
    file: 'src/settlements/store/cut.ts',
    line: 'and move.position > begun.after_position and move.position <= begun.until_position) as summed',
    instead: 'and move.position >= begun.after_position and move.position <= begun.until_position) as summed',
    bug: 'the payout of the last settlement is in the next one too',
    tests: { [file]: ['two payouts, and what happened between them'] },
  },
  {
    file: 'src/settlements/store/cut.ts',
    line: '     order by account_id, position`;',
    instead: '     order by account_id, position desc`;',
    bug: 'of two payouts that wait the later is settled first, and the other never',
    tests: { [file]: ['two payouts, and what happened between them'] },
  },
  {
    file: 'src/settlements/store/cut.ts',
    line: '     where not exists (select from settlement_wanted where account_id = asked.id) order by id`;',
    instead: '     where true order by id`;',
    bug: 'a payout ends up in the middle of a settlement that explains nothing',
    tests: { [file]: ['a cut by command while a payout waits'] },
  },
  {
    file: 'src/settlements/store/cut.ts',
    line: '       where seal.position <= ${readTo}',
    instead: '       where seal.position is not null',
    bug: 'a settlement is cut before the sums have its lines',
    tests: { 'test/settlements/unread.test.ts': [] },
  },
  {
    file: 'src/settlements/store/cut.ts',
    line: "             on settlement.account_id = last.account_id and settlement.number = last.number and settlement.reason <> 'month'",
    instead: '             on settlement.account_id = last.account_id and settlement.number = last.number',
    bug: 'only every other month is settled',
    tests: { [file]: ['months'] },
  },
  {
    file: 'src/settlements/store/cut.ts',
    line: '           and move.posted_at < given.before) as ended',
    instead: '           ) as ended',
    bug: 'the settlement of a month has payments of the next',
    tests: { [file]: ['months'] },
  },
  {
    file: 'src/settlements/store/read.ts',
    line: '    select * from settlement where id = ${id} and account_id is not distinct from ${accountId}`;',
    instead: '    select * from settlement where id = ${id} and ${accountId}::text is not null`;',
    bug: 'anybody reads the settlements of anybody',
    tests: { [file]: ['of somebody else, or malformed'] },
  },
  {
    file: 'src/settlements/lines.ts',
    line: 'if (!last || lines.length < limit) return;',
    instead: 'if (!last || lines.length > 0) return;',
    bug: 'the file has the first page only',
    tests: { 'test/settlements/unread.test.ts': [] },
  },
  {
    file: 'src/settlements/store/verify.ts',
    line: 'case when these.number = 1 then these.after_position = 0 and these.opening_minor = 0',
    instead: 'case when these.number >= 1 then true',
    bug: 'verify does not notice that a settlement is missing',
    tests: { 'test/settlements/verify.test.ts': [] },
  },
  {
    file: 'src/settlements/store/verify.ts',
    line: 'these.payout_id is null or these.payout_id = summed.last_source as explains',
    instead: 'true as explains',
    bug: 'verify does not notice that a settlement explains another payout',
    tests: { 'test/settlements/verify.test.ts': [] },
  },
  {
    file: 'src/settlements/store/verify.ts',
    line: '       and not exists (select from settlement_wanted where settlement_wanted.payout_id = payout.id)',
    instead: '       and exists (select from settlement_wanted where settlement_wanted.payout_id = payout.id)',
    bug: 'a payout whose settlement never comes is not named',
    tests: { 'test/settlements/verify.test.ts': ['payouts without a settlement'] },
  },
  {
    file: 'src/settlements/store/verify.ts',
    line: "      from settlement_month where month::timestamp at time zone 'Etc/GMT-14' > ${now}`;",
    instead: "      from settlement_month where month::timestamp at time zone 'Etc/GMT-14' < ${now}`;",
    bug: 'months that are said to be done before they begin are not named',
    tests: { 'test/settlements/verify.test.ts': ['a month that is left out'] },
  },
  {
    file: 'src/settlements/store/verify.ts',
    line: '             order by move.position limit 1) < moments.begins',
    instead: '             order by move.position limit 1) > moments.begins',
    bug: 'an account whose month was left out is not named',
    tests: { 'test/settlements/verify.test.ts': ['a month that is left out'] },
  },
  {
    file: 'src/settlements/month.ts',
    line: 'if (!(await isReadSince(sql, month.toZonedDateTime(lastZone).toInstant()))) return 0;',
    instead: '',
    bug: 'the settlement of a month that ended while the service was away lacks its last lines',
    tests: { 'test/settlements/unread.test.ts': ['of a month whose last journals are not sealed or not read'] },
  },
];
