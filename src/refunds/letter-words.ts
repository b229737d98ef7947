// Texts of the mail about a refund, in every language that a transaction may have.

import type { languages } from '../../contract/languages.ts';

export interface LetterWords {
  readonly subject: (amount: string, merchant: string) => string;
  readonly told: (amount: string, merchant: string) => string;
  readonly when: string;
  readonly amount: string;
  readonly merchant: string;
  readonly refund: string;
}

const pl: LetterWords = {
  subject: (amount, merchant) => `Zwrot ${amount} od sprzedawcy ${merchant}`,
  told: (amount, merchant) =>
    `Sprzedawca ${merchant} zwraca Ci ${amount}. Pieniądze wrócą w ten sam sposób, w jaki zapłacono.`,
  when: 'Termin zaksięgowania zależy od Twojego banku. Zwykle trwa to kilka dni roboczych.',
  amount: 'Kwota zwrotu',
  merchant: 'Sklep',
  refund: 'Numer zwrotu',
};

const en: LetterWords = {
  subject: (amount, merchant) => `Refund of ${amount} from ${merchant}`,
  told: (amount, merchant) => `${merchant} is refunding you ${amount}. The money goes back the way it was paid.`,
  when: 'When it appears in your account depends on your bank. It usually takes a few business days.',
  amount: 'Refunded amount',
  merchant: 'Shop',
  refund: 'Refund number',
};

const de: LetterWords = {
  subject: (amount, merchant) => `Erstattung von ${amount} durch ${merchant}`,
  told: (amount, merchant) =>
    `${merchant} erstattet Ihnen ${amount}. Das Geld geht auf demselben Weg zurück, auf dem Sie gezahlt haben.`,
  when: 'Wann der Betrag auf Ihrem Konto erscheint, hängt von Ihrer Bank ab. Meist dauert es wenige Werktage.',
  amount: 'Erstatteter Betrag',
  merchant: 'Shop',
  refund: 'Erstattungsnummer',
};

const fr: LetterWords = {
  subject: (amount, merchant) => `Remboursement de ${amount} par ${merchant}`,
  told: (amount, merchant) =>
    `${merchant} vous rembourse ${amount}. Le remboursement est effectué par le moyen de paiement que vous avez utilisé.`,
  when: 'La date à laquelle il apparaît sur votre compte dépend de votre banque\u00a0; comptez en général quelques jours ouvrés.',
  amount: 'Montant remboursé',
  merchant: 'Boutique',
  refund: 'Numéro de remboursement',
};

const it: LetterWords = {
  subject: (amount, merchant) => `Rimborso di ${amount} da ${merchant}`,
  told: (amount, merchant) =>
    `${merchant} ti rimborsa ${amount}. Il rimborso avviene con lo stesso metodo usato per il pagamento.`,
  when: 'Il giorno dell’accredito dipende dalla tua banca: di solito bastano pochi giorni lavorativi.',
  amount: 'Importo rimborsato',
  merchant: 'Negozio',
  refund: 'Numero del rimborso',
};

const es: LetterWords = {
  subject: (amount, merchant) => `Reembolso de ${amount} de ${merchant}`,
  told: (amount, merchant) =>
    `${merchant} le reembolsa ${amount}. El dinero vuelve por el mismo medio con el que se pagó.`,
  when: 'La fecha en que aparecerá en su cuenta depende de su banco; suele tardar unos días hábiles.',
  amount: 'Importe reembolsado',
  merchant: 'Tienda',
  refund: 'Número de reembolso',
};

const uk: LetterWords = {
  subject: (amount, merchant) => `Повернення ${amount} від «${merchant}»`,
  told: (amount, merchant) =>
    `«${merchant}» повертає вам ${amount}. Кошти надійдуть тим самим способом, яким ви платили.`,
  when: 'Коли сума з’явиться на рахунку, залежить від вашого банку. Зазвичай це кілька робочих днів.',
  amount: 'Сума повернення',
  merchant: 'Магазин',
  refund: 'Номер повернення',
};

const ru: LetterWords = {
  subject: (amount, merchant) => `Возврат ${amount} от «${merchant}»`,
  told: (amount, merchant) =>
    `«${merchant}» возвращает вам ${amount}. Деньги вернутся тем же способом, которым вы платили.`,
  when: 'Когда сумма появится на счёте, зависит от вашего банка. Обычно это несколько рабочих дней.',
  amount: 'Сумма возврата',
  merchant: 'Магазин',
  refund: 'Номер возврата',
};

const words: Readonly<Record<(typeof languages)[number], LetterWords>> = { pl, en, de, fr, it, es, uk, ru };

/** By language; English for unknown ones. */
export const letterWords: Readonly<Record<string, LetterWords>> & { readonly en: LetterWords } = words;
