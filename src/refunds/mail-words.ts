// Texts of the mail about a refund, in every language that a transaction may have.

import type { languages } from '../../contract/languages.ts';

export interface MailWords {
  readonly subject: (amount: string, merchant: string) => string;
  readonly intro: (amount: string, merchant: string) => string;
  readonly when: string;
  readonly amount: string;
  readonly merchant: string;
  readonly refund: string;
}

const pl: MailWords = {
  subject: (amount, merchant) => `Zwrot ${amount} od sprzedawcy ${merchant}`,
  intro: (amount, merchant) =>
    `Sprzedawca ${merchant} zwraca Ci ${amount}. Pieniądze wrócą w ten sam sposób, w jaki zapłacono.`,
  when: 'Termin zaksięgowania zależy od Twojego banku. Zwykle trwa to kilka dni roboczych.',
  amount: 'Kwota zwrotu',
  merchant: 'Sklep',
  refund: 'Numer zwrotu',
};

const en: MailWords = {
  subject: (amount, merchant) => `Refund of ${amount} from ${merchant}`,
  intro: (amount, merchant) => `${merchant} is refunding you ${amount}. The money goes back the way it was paid.`,
  when: 'When it appears in your account depends on your bank. It usually takes a few business days.',
  amount: 'Refunded amount',
  merchant: 'Shop',
  refund: 'Refund number',
};

const de: MailWords = {
  subject: (amount, merchant) => `Erstattung von ${amount} durch ${merchant}`,
  intro: (amount, merchant) =>
    `${merchant} erstattet Ihnen ${amount}. Das Geld geht auf demselben Weg zurück, auf dem Sie gezahlt haben.`,
  when: 'Wann der Betrag auf Ihrem Konto erscheint, hängt von Ihrer Bank ab. Meist dauert es wenige Werktage.',
  amount: 'Erstatteter Betrag',
  merchant: 'Shop',
  refund: 'Erstattungsnummer',
};

const fr: MailWords = {
  subject: (amount, merchant) => `Remboursement de ${amount} par ${merchant}`,
  intro: (amount, merchant) =>
    `${merchant} vous rembourse ${amount}. Le remboursement est effectué par le moyen de paiement que vous avez utilisé.`,
  when: 'La date à laquelle il apparaît sur votre compte dépend de votre banque\u00a0; comptez en général quelques jours ouvrés.',
  amount: 'Montant remboursé',
  merchant: 'Boutique',
  refund: 'Numéro de remboursement',
};

const it: MailWords = {
  subject: (amount, merchant) => `Rimborso di ${amount} da ${merchant}`,
  intro: (amount, merchant) =>
    `${merchant} ti rimborsa ${amount}. Il rimborso avviene con lo stesso metodo usato per il pagamento.`,
  when: 'Il giorno dell’accredito dipende dalla tua banca: di solito bastano pochi giorni lavorativi.',
  amount: 'Importo rimborsato',
  merchant: 'Negozio',
  refund: 'Numero del rimborso',
};

const es: MailWords = {
  subject: (amount, merchant) => `Reembolso de ${amount} de ${merchant}`,
  intro: (amount, merchant) =>
    `${merchant} le reembolsa ${amount}. El dinero vuelve por el mismo medio con el que se pagó.`,
  when: 'La fecha en que aparecerá en su cuenta depende de su banco; suele tardar unos días hábiles.',
  amount: 'Importe reembolsado',
  merchant: 'Tienda',
  refund: 'Número de reembolso',
};

const uk: MailWords = {
  subject: (amount, merchant) => `Повернення ${amount} від «${merchant}»`,
  intro: (amount, merchant) =>
    `«${merchant}» повертає вам ${amount}. Кошти надійдуть тим самим способом, яким ви платили.`,
  when: 'Коли сума з’явиться на рахунку, залежить від вашого банку. Зазвичай це кілька робочих днів.',
  amount: 'Сума повернення',
  merchant: 'Магазин',
  refund: 'Номер повернення',
};

const ru: MailWords = {
  subject: (amount, merchant) => `Возврат ${amount} от «${merchant}»`,
  intro: (amount, merchant) =>
    `«${merchant}» возвращает вам ${amount}. Деньги вернутся тем же способом, которым вы платили.`,
  when: 'Когда сумма появится на счёте, зависит от вашего банка. Обычно это несколько рабочих дней.',
  amount: 'Сумма возврата',
  merchant: 'Магазин',
  refund: 'Номер возврата',
};

const words: Readonly<Record<(typeof languages)[number], MailWords>> = { pl, en, de, fr, it, es, uk, ru };

/** By language; English for unknown ones. */
export const refundMailWords: Readonly<Record<string, MailWords>> & { readonly en: MailWords } = words;
