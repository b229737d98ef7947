// Texts of the mail about a recurring charge that failed, in every language of the service.

import type { languages } from '../../contract/languages.ts';

export interface LetterWords {
  readonly subject: (amount: string, merchant: string) => string;
  readonly greeting: string;
  readonly told: (amount: string, merchant: string) => string;
  readonly amount: string;
  readonly merchant: string;
  readonly description: string;
  readonly change: string;
  readonly check: string;
  readonly automatic: string;
}

const pl: LetterWords = {
  subject: (amount, merchant) => `Nie udało się pobrać ${amount} dla ${merchant}`,
  greeting: 'Dzień dobry,',
  told: (amount, merchant) =>
    `Nie udało się pobrać kolejnej płatności ${amount} dla ${merchant}. Konto nie zostało obciążone.`,
  amount: 'Kwota',
  merchant: 'Odbiorca',
  description: 'Opis płatności',
  change: 'Zmień kartę w sklepie',
  check: 'Sprawdź, czy karta jest ważna i ma środki, lub zmień ją w sklepie.',
  automatic: 'To wiadomość wysłana automatycznie. Z pytaniami zwróć się do sklepu.',
};

const en: LetterWords = {
  subject: (amount, merchant) => `Your payment of ${amount} to ${merchant} failed`,
  greeting: 'Hello,',
  told: (amount, merchant) =>
    `Your recurring payment of ${amount} to ${merchant} could not be made. You were not charged.`,
  amount: 'Amount',
  merchant: 'Recipient',
  description: 'Payment description',
  change: 'Change the card at the shop',
  check: 'Please check that your card is valid and has enough money, or change it at the shop.',
  automatic: 'This message was sent automatically. Please ask the shop if you have questions.',
};

const de: LetterWords = {
  subject: (amount, merchant) => `Ihre Zahlung von ${amount} an ${merchant} ist fehlgeschlagen`,
  greeting: 'Guten Tag,',
  told: (amount, merchant) =>
    `Ihre wiederkehrende Zahlung von ${amount} an ${merchant} konnte nicht ausgeführt werden. Ihr Konto wurde nicht belastet.`,
  amount: 'Betrag',
  merchant: 'Empfänger',
  description: 'Verwendungszweck',
  change: 'Karte im Shop ändern',
  check: 'Bitte prüfen Sie, ob Ihre Karte gültig und gedeckt ist, oder ändern Sie sie im Shop.',
  automatic: 'Diese Nachricht wurde automatisch versandt. Bei Fragen wenden Sie sich bitte an den Shop.',
};

const uk: LetterWords = {
  subject: (amount, merchant) => `Не вдалося списати ${amount} на користь ${merchant}`,
  greeting: 'Добрий день!',
  told: (amount, merchant) =>
    `Не вдалося виконати регулярний платіж ${amount} на користь ${merchant}. Кошти не списано.`,
  amount: 'Сума',
  merchant: 'Отримувач',
  description: 'Призначення платежу',
  change: 'Змінити картку в магазині',
  check: 'Перевірте, чи картка дійсна та чи вистачає на ній коштів, або змініть її в магазині.',
  automatic: 'Цей лист надіслано автоматично. Якщо маєте запитання, зверніться до магазину.',
};

const fr: LetterWords = {
  subject: (amount, merchant) => `Votre paiement de ${amount} à ${merchant} a échoué`,
  greeting: 'Bonjour,',
  told: (amount, merchant) =>
    `Votre paiement récurrent de ${amount} à ${merchant} n’a pas pu être effectué. Vous n’avez pas été débité.`,
  amount: 'Montant',
  merchant: 'Bénéficiaire',
  description: 'Objet du paiement',
  change: 'Changer de carte dans la boutique',
  check: 'Vérifiez que votre carte est valide et suffisamment approvisionnée, ou changez-la dans la boutique.',
  automatic: 'Ce message a été envoyé automatiquement. Pour toute question, adressez-vous à la boutique.',
};

const it: LetterWords = {
  subject: (amount, merchant) => `Il pagamento di ${amount} a ${merchant} non è riuscito`,
  greeting: 'Buongiorno,',
  told: (amount, merchant) =>
    `Il tuo pagamento ricorrente di ${amount} a ${merchant} non è riuscito. Non ti è stato addebitato nulla.`,
  amount: 'Importo',
  merchant: 'Beneficiario',
  description: 'Causale',
  change: 'Cambia la carta nel negozio',
  check: 'Controlla che la carta sia valida e abbia fondi sufficienti, oppure cambiala nel negozio.',
  automatic: 'Questo messaggio è stato inviato automaticamente. Per domande rivolgiti al negozio.',
};

const es: LetterWords = {
  subject: (amount, merchant) => `Su pago de ${amount} a ${merchant} no se ha realizado`,
  greeting: 'Hola:',
  told: (amount, merchant) =>
    `Su pago periódico de ${amount} a ${merchant} no se ha podido realizar. No se le ha cobrado nada.`,
  amount: 'Importe',
  merchant: 'Beneficiario',
  description: 'Concepto',
  change: 'Cambiar la tarjeta en la tienda',
  check: 'Compruebe que su tarjeta es válida y tiene saldo suficiente, o cámbiela en la tienda.',
  automatic: 'Este mensaje se ha enviado automáticamente. Si tiene preguntas, diríjase a la tienda.',
};

const ru: LetterWords = {
  subject: (amount, merchant) => `Платёж ${amount} в пользу ${merchant} не выполнен`,
  greeting: 'Здравствуйте!',
  told: (amount, merchant) =>
    `Не удалось выполнить регулярный платёж ${amount} в пользу ${merchant}. Деньги не списаны.`,
  amount: 'Сумма',
  merchant: 'Получатель',
  description: 'Назначение платежа',
  change: 'Сменить карту в магазине',
  check: 'Проверьте, что карта действительна и на ней достаточно средств, или смените её в магазине.',
  automatic: 'Это письмо отправлено автоматически. Если есть вопросы, обратитесь в магазин.',
};

const words: Readonly<Record<(typeof languages)[number], LetterWords>> = { pl, en, de, fr, it, es, uk, ru };

/** By language; English for unknown ones. */
export const letterWords: Readonly<Record<string, LetterWords>> & { readonly en: LetterWords } = words;
