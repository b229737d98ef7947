// Texts of the mail about a recurring charge that failed, in every language of the service.

import type { languages } from '../../contract/languages.ts';

export interface LetterWords {
  readonly subject: (amount: string, merchant: string) => string;
  readonly told: (amount: string, merchant: string) => string;
  readonly amount: string;
  readonly merchant: string;
  readonly change: string;
  readonly check: string;
}

const pl: LetterWords = {
  subject: (amount, merchant) => `Nie udało się pobrać ${amount} dla ${merchant}`,
  told: (amount, merchant) =>
    `Nie udało się pobrać kolejnej płatności ${amount} dla ${merchant}. Konto nie zostało obciążone.`,
  amount: 'Kwota',
  merchant: 'Odbiorca',
  change: 'Zmień kartę w sklepie',
  check: 'Sprawdź, czy karta jest ważna i ma środki, lub zmień ją w sklepie.',
};

const en: LetterWords = {
  subject: (amount, merchant) => `Your payment of ${amount} to ${merchant} failed`,
  told: (amount, merchant) =>
    `Your recurring payment of ${amount} to ${merchant} could not be made. You were not charged.`,
  amount: 'Amount',
  merchant: 'Recipient',
  change: 'Change the card at the shop',
  check: 'Please check that your card is valid and has enough money, or change it at the shop.',
};

const de: LetterWords = {
  subject: (amount, merchant) => `Ihre Zahlung von ${amount} an ${merchant} ist fehlgeschlagen`,
  told: (amount, merchant) =>
    `Ihre wiederkehrende Zahlung von ${amount} an ${merchant} konnte nicht ausgeführt werden. Ihr Konto wurde nicht belastet.`,
  amount: 'Betrag',
  merchant: 'Empfänger',
  change: 'Karte im Shop ändern',
  check: 'Bitte prüfen Sie, ob Ihre Karte gültig und gedeckt ist, oder ändern Sie sie im Shop.',
};

const uk: LetterWords = {
  subject: (amount, merchant) => `Не вдалося списати ${amount} на користь ${merchant}`,
  told: (amount, merchant) =>
    `Не вдалося виконати регулярний платіж ${amount} на користь ${merchant}. Кошти не списано.`,
  amount: 'Сума',
  merchant: 'Отримувач',
  change: 'Змінити картку в магазині',
  check: 'Перевірте, чи картка дійсна та чи вистачає на ній коштів, або змініть її в магазині.',
};

const fr: LetterWords = {
  subject: (amount, merchant) => `Votre paiement de ${amount} à ${merchant} a échoué`,
  told: (amount, merchant) =>
    `Votre paiement récurrent de ${amount} à ${merchant} n’a pas pu être effectué. Vous n’avez pas été débité.`,
  amount: 'Montant',
  merchant: 'Bénéficiaire',
  change: 'Changer de carte dans la boutique',
  check: 'Vérifiez que votre carte est valide et suffisamment approvisionnée, ou changez-la dans la boutique.',
};

const it: LetterWords = {
  subject: (amount, merchant) => `Il pagamento di ${amount} a ${merchant} non è riuscito`,
  told: (amount, merchant) =>
    `Il tuo pagamento ricorrente di ${amount} a ${merchant} non è riuscito. Non ti è stato addebitato nulla.`,
  amount: 'Importo',
  merchant: 'Beneficiario',
  change: 'Cambia la carta nel negozio',
  check: 'Controlla che la carta sia valida e abbia fondi sufficienti, oppure cambiala nel negozio.',
};

const es: LetterWords = {
  subject: (amount, merchant) => `Su pago de ${amount} a ${merchant} no se ha realizado`,
  told: (amount, merchant) =>
    `Su pago periódico de ${amount} a ${merchant} no se ha podido realizar. No se le ha cobrado nada.`,
  amount: 'Importe',
  merchant: 'Beneficiario',
  change: 'Cambiar la tarjeta en la tienda',
  check: 'Compruebe que su tarjeta es válida y tiene saldo suficiente, o cámbiela en la tienda.',
};

const ru: LetterWords = {
  subject: (amount, merchant) => `Платёж ${amount} в пользу ${merchant} не выполнен`,
  told: (amount, merchant) =>
    `Не удалось выполнить регулярный платёж ${amount} в пользу ${merchant}. Деньги не списаны.`,
  amount: 'Сумма',
  merchant: 'Получатель',
  change: 'Сменить карту в магазине',
  check: 'Проверьте, что карта действительна и на ней достаточно средств, или смените её в магазине.',
};

const words: Readonly<Record<(typeof languages)[number], LetterWords>> = { pl, en, de, fr, it, es, uk, ru };

/** By language; English for unknown ones. */
export const letterWords: Readonly<Record<string, LetterWords>> & { readonly en: LetterWords } = words;
