// The mail about a settlement.

import { amountText, money } from '../kernel/index.ts';
import { dateText, mailLanguage, mailWords, type NewMail, renderMail } from '../notifications/index.ts';
import type { Tools } from '../tools.ts';
import { settlementMailWords } from './mail-words.ts';
import type { Settlement, Told } from './store/cut.ts';

/** To the address of the account, in the language of its pay page. Pure: the same settlement gives the same text. */
export function settlementMail(
  { config }: Pick<Tools, 'config'>,
  id: string,
  settlement: Settlement,
  { email, language: own, zone }: Pick<Told, 'email' | 'language' | 'zone'>,
): NewMail {
  const language = mailLanguage('', own);
  const words = settlementMailWords[language] ?? settlementMailWords.en;
  const common = mailWords[language] ?? mailWords.en;
  const amount = (minor: bigint) => amountText(money(minor, 'PLN'), language);
  const { number, firstAt, lastAt, openingMinor, amountMinor, feeMinor, commissionMinor, otherMinor } = settlement;
  const facts: (readonly [string, string])[] = [
    [words.from, dateText(firstAt, zone, language)],
    [words.to, dateText(lastAt, zone, language)],
    [words.opening, amount(openingMinor)],
    [words.amount, amount(amountMinor)],
    [words.fee, amount(feeMinor)],
    ...(commissionMinor === 0n ? [] : [[words.commission, amount(commissionMinor)] as const]),
    ...(otherMinor === 0n ? [] : [[words.other, amount(otherMinor)] as const]),
    [words.closing, amount(settlement.closingMinor)],
    [words.lines, String(settlement.lines)],
  ];
  const { name, support } = config.operator;
  const contact = [name, support].filter(Boolean).join(', ');
  const mail = renderMail({
    language,
    greeting: common.greeting,
    subject: words.subject(number),
    intro: words.intro(number),
    facts,
    link: { text: words.show, url: `${config.baseUrl}/panel/money/settlements/${settlement.id}` },
    after: words.after,
    automatic: contact,
  });
  return {
    id,
    recipient: email,
    ...mail,
    language,
    subjectId: settlement.id,
    createdAt: settlement.createdAt,
  };
}
