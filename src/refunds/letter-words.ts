// Texts of the mail about a refund, in every language that a transaction may have.

import type { languages } from '../../contract/languages.ts';

export interface LetterWords {
  readonly subject: (amount: string, merchant: string) => string;
  readonly greeting: string;
  readonly told: (amount: string, merchant: string) => string;
  readonly when: string;
  readonly automatic: string;
  readonly amount: string;
  readonly merchant: string;
  readonly description: string;
  readonly title: string;
  readonly refund: string;
}

const pl: LetterWords = {
  subject: (amount, merchant) => `Zwrot ${amount} od ${merchant}`,
  greeting: 'Dzień dobry,',
  told: (amount, merchant) => `${merchant} zwraca Ci ${amount}. Pieniądze wracają tą samą drogą, którą zapłacono.`,
  when: 'To, kiedy kwota pojawi się na koncie, zależy od Twojego banku. Zwykle trwa to do kilku dni roboczych.',
  automatic: 'To wiadomość wysłana automatycznie. Z pytaniami zwróć się do sklepu.',
  amount: 'Kwota zwrotu',
  merchant: 'Sklep',
  description: 'Opis płatności',
  title: 'Numer płatności',
  refund: 'Numer zwrotu',
};

const en: LetterWords = {
  subject: (amount, merchant) => `Refund of ${amount} from ${merchant}`,
  greeting: 'Hello,',
  told: (amount, merchant) => `${merchant} is refunding you ${amount}. The money goes back the way it was paid.`,
  when: 'When it appears on your account depends on your bank. It usually takes up to a few working days.',
  automatic: 'This message was sent automatically. Please ask the shop if you have questions.',
  amount: 'Refunded amount',
  merchant: 'Shop',
  description: 'Payment description',
  title: 'Payment number',
  refund: 'Refund number',
};

const de: LetterWords = {
  subject: (amount, merchant) => `Rückerstattung von ${amount} durch ${merchant}`,
  greeting: 'Guten Tag,',
  told: (amount, merchant) =>
    `${merchant} erstattet Ihnen ${amount}. Das Geld geht auf demselben Weg zurück, auf dem bezahlt wurde.`,
  when: 'Wann der Betrag auf Ihrem Konto erscheint, hängt von Ihrer Bank ab. Meist dauert es wenige Werktage.',
  automatic: 'Diese Nachricht wurde automatisch versandt. Bei Fragen wenden Sie sich bitte an den Händler.',
  amount: 'Erstatteter Betrag',
  merchant: 'Händler',
  description: 'Beschreibung der Zahlung',
  title: 'Zahlungsnummer',
  refund: 'Nummer der Erstattung',
};

const fr: LetterWords = {
  subject: (amount, merchant) => `Remboursement de ${amount} par ${merchant}`,
  greeting: 'Bonjour,',
  told: (amount, merchant) =>
    `${merchant} vous rembourse ${amount}. L’argent revient par le moyen de paiement que vous avez utilisé.`,
  when: 'La date à laquelle il apparaît sur votre compte dépend de votre banque, en général quelques jours ouvrés.',
  automatic: 'Ce message a été envoyé automatiquement. Pour toute question, adressez-vous au vendeur.',
  amount: 'Montant remboursé',
  merchant: 'Vendeur',
  description: 'Description du paiement',
  title: 'Numéro de paiement',
  refund: 'Numéro de remboursement',
};

const it: LetterWords = {
  subject: (amount, merchant) => `Rimborso di ${amount} da ${merchant}`,
  greeting: 'Buongiorno,',
  told: (amount, merchant) =>
    `${merchant} ti rimborsa ${amount}. Il denaro torna con lo stesso metodo usato per il pagamento.`,
  when: 'Il giorno dell’accredito dipende dalla tua banca: di solito bastano pochi giorni lavorativi.',
  automatic: 'Questo messaggio è stato inviato automaticamente. Per domande rivolgiti al venditore.',
  amount: 'Importo rimborsato',
  merchant: 'Venditore',
  description: 'Descrizione del pagamento',
  title: 'Numero del pagamento',
  refund: 'Numero del rimborso',
};

const es: LetterWords = {
  subject: (amount, merchant) => `Reembolso de ${amount} de ${merchant}`,
  greeting: 'Hola:',
  told: (amount, merchant) =>
    `${merchant} le reembolsa ${amount}. El dinero vuelve por el mismo medio con el que se pagó.`,
  when: 'La fecha en que aparece en su cuenta depende de su banco; suele tardar unos pocos días hábiles.',
  automatic: 'Este mensaje se ha enviado automáticamente. Si tiene preguntas, diríjase al vendedor.',
  amount: 'Importe reembolsado',
  merchant: 'Vendedor',
  description: 'Descripción del pago',
  title: 'Número de pago',
  refund: 'Número de reembolso',
};

const uk: LetterWords = {
  subject: (amount, merchant) => `Повернення ${amount} від ${merchant}`,
  greeting: 'Добрий день!',
  told: (amount, merchant) =>
    `${merchant} повертає вам ${amount}. Гроші надійдуть тим самим шляхом, яким було сплачено.`,
  when: 'Коли сума з’явиться на рахунку, залежить від вашого банку. Зазвичай це кілька робочих днів.',
  automatic: 'Цей лист надіслано автоматично. Якщо маєте запитання, зверніться до продавця.',
  amount: 'Сума повернення',
  merchant: 'Продавець',
  description: 'Опис платежу',
  title: 'Номер платежу',
  refund: 'Номер повернення',
};

const ru: LetterWords = {
  subject: (amount, merchant) => `Возврат ${amount} от ${merchant}`,
  greeting: 'Здравствуйте!',
  told: (amount, merchant) =>
    `${merchant} возвращает вам ${amount}. Деньги вернутся тем же путём, которым была оплата.`,
  when: 'Когда сумма появится на счёте, зависит от вашего банка. Обычно это несколько рабочих дней.',
  automatic: 'Это письмо отправлено автоматически. Если есть вопросы, обратитесь к продавцу.',
  amount: 'Сумма возврата',
  merchant: 'Продавец',
  description: 'Описание платежа',
  title: 'Номер платежа',
  refund: 'Номер возврата',
};

const words: Readonly<Record<(typeof languages)[number], LetterWords>> = { pl, en, de, fr, it, es, uk, ru };

/** By language; English for unknown ones. */
export const letterWords: Readonly<Record<string, LetterWords>> & { readonly en: LetterWords } = words;
