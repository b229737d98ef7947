// Texts of the mails about recurring charges, in every language of the service.

import type { languages } from '../../contract/languages.ts';

type About = (amount: string, merchant: string) => string;

/** For a card, and for what a payer cannot change, such as a BLIK alias. */
interface ByInstrument {
  readonly card: string;
  readonly other: string;
}

export interface MailWords {
  readonly charged: {
    readonly subject: About;
    readonly intro: About;
    readonly next: string;
    /** The series is finished. */
    readonly last: string;
  };
  readonly failed: {
    readonly subject: About;
    readonly intro: About;
    readonly again: string;
    /** It is not tried again. */
    readonly last: string;
    readonly change: ByInstrument;
    readonly check: ByInstrument;
  };
  readonly amount: string;
  readonly merchant: string;
  readonly date: string;
  readonly keep: string;
}

const pl: MailWords = {
  charged: {
    subject: (amount, merchant) => `Potwierdzenie płatności cyklicznej ${amount} dla sprzedawcy ${merchant}`,
    intro: (amount, merchant) => `Pobraliśmy płatność cykliczną ${amount} dla sprzedawcy ${merchant}.`,
    next: 'Następna płatność',
    last: 'To była ostatnia płatność.',
  },
  failed: {
    subject: (amount, merchant) => `Nie udało się pobrać ${amount} dla sprzedawcy ${merchant}`,
    intro: (amount, merchant) =>
      `Nie udało się pobrać płatności cyklicznej ${amount} dla sprzedawcy ${merchant}. Konto nie zostało obciążone.`,
    again: 'Następna próba',
    last: 'To była ostatnia próba, nie będziemy jej ponawiać.',
    change: { card: 'Zmień kartę w sklepie', other: 'Przejdź do sklepu' },
    check: {
      card: 'Sprawdź, czy karta jest ważna i czy są na niej środki, lub zmień ją w sklepie.',
      other: 'Sprawdź, czy na koncie są środki, lub skontaktuj się ze sklepem.',
    },
  },
  amount: 'Kwota',
  merchant: 'Odbiorca',
  date: 'Data płatności',
  keep: 'Zachowaj tę wiadomość jako potwierdzenie.',
};

const en: MailWords = {
  charged: {
    subject: (amount, merchant) => `Recurring payment of ${amount} to ${merchant} confirmed`,
    intro: (amount, merchant) => `Your recurring payment of ${amount} to ${merchant} has been made.`,
    next: 'Next payment',
    last: 'This was the last payment.',
  },
  failed: {
    subject: (amount, merchant) => `Your payment of ${amount} to ${merchant} failed`,
    intro: (amount, merchant) =>
      `Your recurring payment of ${amount} to ${merchant} could not be made. You were not charged.`,
    again: 'Next attempt',
    last: 'This was the last attempt; we will not try again.',
    change: { card: 'Change the card at the shop', other: 'Go to the shop' },
    check: {
      card: 'Please check that your card is valid and has enough money, or change it at the shop.',
      other: 'Please check that there is enough money in your account, or contact the shop.',
    },
  },
  amount: 'Amount',
  merchant: 'Recipient',
  date: 'Paid on',
  keep: 'Please keep this message as your confirmation.',
};

const de: MailWords = {
  charged: {
    subject: (amount, merchant) => `Wiederkehrende Zahlung von ${amount} an ${merchant} bestätigt`,
    intro: (amount, merchant) => `Ihre wiederkehrende Zahlung von ${amount} an ${merchant} wurde ausgeführt.`,
    next: 'Nächste Zahlung',
    last: 'Das war die letzte Zahlung.',
  },
  failed: {
    subject: (amount, merchant) => `Ihre Zahlung von ${amount} an ${merchant} ist fehlgeschlagen`,
    intro: (amount, merchant) =>
      `Ihre wiederkehrende Zahlung von ${amount} an ${merchant} konnte nicht ausgeführt werden. Ihr Konto wurde nicht belastet.`,
    again: 'Nächster Versuch',
    last: 'Das war der letzte Versuch; wir versuchen es nicht noch einmal.',
    change: { card: 'Karte im Shop ändern', other: 'Zum Shop' },
    check: {
      card: 'Bitte prüfen Sie, ob Ihre Karte gültig und gedeckt ist, oder ändern Sie sie im Shop.',
      other: 'Bitte prüfen Sie, ob Ihr Konto gedeckt ist, oder wenden Sie sich an den Shop.',
    },
  },
  amount: 'Betrag',
  merchant: 'Empfänger',
  date: 'Bezahlt am',
  keep: 'Bitte bewahren Sie diese Nachricht als Bestätigung auf.',
};

const uk: MailWords = {
  charged: {
    subject: (amount, merchant) => `Регулярний платіж ${amount} на користь «${merchant}» виконано`,
    intro: (amount, merchant) => `Ваш регулярний платіж ${amount} на користь «${merchant}» виконано.`,
    next: 'Наступний платіж',
    last: 'Це був останній платіж.',
  },
  failed: {
    subject: (amount, merchant) => `Не вдалося списати ${amount} на користь «${merchant}»`,
    intro: (amount, merchant) =>
      `Не вдалося виконати регулярний платіж ${amount} на користь «${merchant}». Кошти не списано.`,
    again: 'Наступна спроба',
    last: 'Це була остання спроба, більше ми не пробуватимемо.',
    change: { card: 'Змінити картку в магазині', other: 'Перейти до магазину' },
    check: {
      card: 'Перевірте, чи картка дійсна та чи вистачає на ній коштів, або змініть її в магазині.',
      other: 'Перевірте, чи вистачає коштів на рахунку, або зверніться до магазину.',
    },
  },
  amount: 'Сума',
  merchant: 'Отримувач',
  date: 'Дата платежу',
  keep: 'Збережіть цей лист як підтвердження.',
};

const fr: MailWords = {
  charged: {
    subject: (amount, merchant) => `Paiement récurrent de ${amount} à ${merchant} confirmé`,
    intro: (amount, merchant) => `Votre paiement récurrent de ${amount} à ${merchant} a été effectué.`,
    next: 'Prochain paiement',
    last: 'C’était le dernier paiement.',
  },
  failed: {
    subject: (amount, merchant) => `Votre paiement de ${amount} à ${merchant} a échoué`,
    intro: (amount, merchant) =>
      `Votre paiement récurrent de ${amount} à ${merchant} n’a pas pu être effectué. Aucun montant n’a été débité.`,
    again: 'Prochaine tentative',
    last: 'C’était la dernière tentative\u00a0; il n’y en aura pas d’autre.',
    change: { card: 'Changer de carte dans la boutique', other: 'Aller à la boutique' },
    check: {
      card: 'Vérifiez que votre carte est valide et suffisamment approvisionnée, ou changez-la dans la boutique.',
      other: 'Vérifiez que votre compte est suffisamment approvisionné ou contactez la boutique.',
    },
  },
  amount: 'Montant',
  merchant: 'Bénéficiaire',
  date: 'Date du paiement',
  keep: 'Conservez ce message comme confirmation.',
};

const it: MailWords = {
  charged: {
    subject: (amount, merchant) => `Pagamento ricorrente di ${amount} a ${merchant} confermato`,
    intro: (amount, merchant) => `Il tuo pagamento ricorrente di ${amount} a ${merchant} è stato effettuato.`,
    next: 'Prossimo pagamento',
    last: 'Questo era l’ultimo pagamento.',
  },
  failed: {
    subject: (amount, merchant) => `Il pagamento di ${amount} a ${merchant} non è riuscito`,
    intro: (amount, merchant) =>
      `Il tuo pagamento ricorrente di ${amount} a ${merchant} non è riuscito. Non ti è stato addebitato nulla.`,
    again: 'Prossimo tentativo',
    last: 'Questo era l’ultimo tentativo: non ne faremo altri.',
    change: { card: 'Cambia la carta nel negozio', other: 'Vai al negozio' },
    check: {
      card: 'Controlla che la carta sia valida e abbia fondi sufficienti, oppure cambiala nel negozio.',
      other: 'Controlla che il conto abbia fondi sufficienti, oppure contatta il negozio.',
    },
  },
  amount: 'Importo',
  merchant: 'Beneficiario',
  date: 'Data del pagamento',
  keep: 'Conserva questo messaggio come conferma.',
};

const es: MailWords = {
  charged: {
    subject: (amount, merchant) => `Pago periódico de ${amount} a ${merchant} confirmado`,
    intro: (amount, merchant) => `Su pago periódico de ${amount} a ${merchant} se ha realizado.`,
    next: 'Próximo pago',
    last: 'Este ha sido el último pago.',
  },
  failed: {
    subject: (amount, merchant) => `Su pago de ${amount} a ${merchant} no se ha realizado`,
    intro: (amount, merchant) =>
      `Su pago periódico de ${amount} a ${merchant} no se ha podido realizar. No se le ha cobrado nada.`,
    again: 'Próximo intento',
    last: 'Este ha sido el último intento; no habrá más.',
    change: { card: 'Cambiar la tarjeta en la tienda', other: 'Ir a la tienda' },
    check: {
      card: 'Compruebe que su tarjeta es válida y tiene saldo suficiente, o cámbiela en la tienda.',
      other: 'Compruebe que su cuenta tiene saldo suficiente o póngase en contacto con la tienda.',
    },
  },
  amount: 'Importe',
  merchant: 'Beneficiario',
  date: 'Fecha de pago',
  keep: 'Guarde este mensaje como confirmación.',
};

const ru: MailWords = {
  charged: {
    subject: (amount, merchant) => `Регулярный платёж ${amount} в пользу «${merchant}» выполнен`,
    intro: (amount, merchant) => `Ваш регулярный платёж ${amount} в пользу «${merchant}» выполнен.`,
    next: 'Следующий платёж',
    last: 'Это был последний платёж.',
  },
  failed: {
    subject: (amount, merchant) => `Платёж ${amount} в пользу «${merchant}» не выполнен`,
    intro: (amount, merchant) =>
      `Не удалось выполнить регулярный платёж ${amount} в пользу «${merchant}». Деньги не списаны.`,
    again: 'Следующая попытка',
    last: 'Это была последняя попытка, больше мы пробовать не будем.',
    change: { card: 'Сменить карту в магазине', other: 'Перейти в магазин' },
    check: {
      card: 'Проверьте, что карта действительна и на ней достаточно средств, или смените её в магазине.',
      other: 'Проверьте, что на счёте достаточно средств, или обратитесь в магазин.',
    },
  },
  amount: 'Сумма',
  merchant: 'Получатель',
  date: 'Дата платежа',
  keep: 'Сохраните это письмо как подтверждение.',
};

const words: Readonly<Record<(typeof languages)[number], MailWords>> = { pl, en, de, fr, it, es, uk, ru };

/** By language; English for unknown ones. */
export const chargeMailWords: Readonly<Record<string, MailWords>> & { readonly en: MailWords } = words;
