// Texts of the mail about a refund that came back, in every language that an account may have.

import type { languages } from '../../contract/languages.ts';

interface CameBackWords {
  readonly subject: (amount: string) => string;
  readonly intro: (amount: string) => string;
  readonly after: string;
}

export const cameBackWords: Readonly<Record<string, CameBackWords>> & {
  readonly [Language in (typeof languages)[number]]: CameBackWords;
} = {
  pl: {
    subject: (amount) => `Zwrot ${amount} nie dotarł do płatnika`,
    intro: (amount) =>
      `Zwrot ${amount} został wypłacony, ale pieniądze wróciły. Kwota i opłata są znowu na Twoim saldzie.`,
    after: 'Płatnik nie ma tych pieniędzy. Możesz zlecić zwrot ponownie albo ustalić z płatnikiem inny sposób.',
  },
  en: {
    subject: (amount) => `A refund of ${amount} did not reach the payer`,
    intro: (amount) =>
      `A refund of ${amount} was paid out, but the money came back. Amount and fee are in your balance again.`,
    after: 'The payer does not have this money. You can refund it again, or agree on another way with the payer.',
  },
  de: {
    subject: (amount) => `Eine Erstattung von ${amount} ist nicht angekommen`,
    intro: (amount) =>
      `Eine Erstattung von ${amount} wurde ausgezahlt, das Geld kam aber zurück. Betrag und Gebühr sind wieder in Ihrem Guthaben.`,
    after:
      'Der Zahler hat dieses Geld nicht. Sie können es erneut erstatten oder mit ihm einen anderen Weg vereinbaren.',
  },
  fr: {
    subject: (amount) => `Un remboursement de ${amount} n’est pas arrivé`,
    intro: (amount) =>
      `Un remboursement de ${amount} a été versé, mais l’argent est revenu. Le montant et les frais sont de nouveau sur votre solde.`,
    after: 'Le payeur n’a pas cet argent. Vous pouvez le rembourser à nouveau ou convenir avec lui d’un autre moyen.',
  },
  it: {
    subject: (amount) => `Un rimborso di ${amount} non è arrivato`,
    intro: (amount) =>
      `Un rimborso di ${amount} è stato pagato, ma il denaro è tornato. Importo e commissione sono di nuovo nel tuo saldo.`,
    after: 'Il pagatore non ha questo denaro. Puoi rimborsarlo di nuovo o concordare con lui un altro modo.',
  },
  es: {
    subject: (amount) => `Un reembolso de ${amount} no llegó`,
    intro: (amount) =>
      `Se pagó un reembolso de ${amount}, pero el dinero volvió. El importe y la comisión están de nuevo en tu saldo.`,
    after: 'El pagador no tiene este dinero. Puedes reembolsarlo de nuevo o acordar con él otra forma.',
  },
  uk: {
    subject: (amount) => `Повернення ${amount} не дійшло до платника`,
    intro: (amount) =>
      `Повернення ${amount} було виплачено, але гроші надійшли назад. Сума й комісія знову на вашому балансі.`,
    after: 'Платник не має цих грошей. Ви можете повернути їх ще раз або домовитися з платником про інший спосіб.',
  },
  ru: {
    subject: (amount) => `Возврат ${amount} не дошёл до плательщика`,
    intro: (amount) => `Возврат ${amount} был выплачен, но деньги вернулись. Сумма и комиссия снова на вашем балансе.`,
    after:
      'У плательщика нет этих денег. Вы можете вернуть их ещё раз или договориться с плательщиком о другом способе.',
  },
};
