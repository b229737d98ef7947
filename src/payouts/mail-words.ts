// Texts of the mails about payouts and bank accounts, in every language that an account may have.

import type { languages } from '../../contract/languages.ts';

interface StateWords {
  readonly subject: (amount: string) => string;
  readonly intro: string;
}

interface PayoutWords {
  readonly paid: StateWords;
  readonly returned: StateWords;
  readonly failed: StateWords;
  readonly changed: { readonly subject: string; readonly intro: string; readonly after: string };
  readonly amount: string;
  readonly account: string;
  readonly accountBefore: string;
  readonly date: string;
  readonly id: string;
  readonly givenBy: string;
  readonly holdUntil: string;
  readonly show: string;
  readonly showAccount: string;
  readonly paidAfter: string;
  readonly endedAfter: string;
}

export const payoutMailWords: Readonly<Record<string, PayoutWords>> & {
  readonly [Language in (typeof languages)[number]]: PayoutWords;
} = {
  pl: {
    paid: {
      subject: (amount) => `Wypłata ${amount} dotarła do banku`,
      intro: 'Bank wykonał wypłatę na Twój rachunek.',
    },
    returned: {
      subject: (amount) => `Wypłata ${amount} wróciła`,
      intro: 'Wypłata została zwrócona przez bank. Kwota jest znowu na Twoim saldzie.',
    },
    failed: {
      subject: (amount) => `Wypłata ${amount} nie powiodła się`,
      intro: 'Bank odrzucił wypłatę. Kwota i opłata są znowu na Twoim saldzie.',
    },
    changed: {
      subject: 'Zmieniono rachunek bankowy do wypłat',
      intro: 'Podano rachunek bankowy, na który trafią Twoje wypłaty.',
      after: 'Jeżeli to nie Ty, natychmiast napisz do operatora.',
    },
    amount: 'Kwota',
    account: 'Rachunek',
    accountBefore: 'Poprzedni rachunek',
    date: 'Data',
    id: 'Identyfikator',
    givenBy: 'Podany przez',
    holdUntil: 'Wstrzymany do',
    show: 'Pokaż wypłatę',
    showAccount: 'Pokaż rachunek bankowy',
    paidAfter: 'W panelu zobaczysz, z czego składa się wypłata.',
    endedAfter: 'Sprawdź numer rachunku bankowego w panelu. Nic nie jest ponawiane samo.',
  },
  en: {
    paid: { subject: (amount) => `The payout of ${amount} was made`, intro: 'The bank has paid it to your account.' },
    returned: {
      subject: (amount) => `The payout of ${amount} came back`,
      intro: 'The bank has sent it back. Your balance has the amount again.',
    },
    failed: {
      subject: (amount) => `The payout of ${amount} failed`,
      intro: 'The bank refused it. Your balance has the amount and the fee again.',
    },
    changed: {
      subject: 'The bank account of your payouts was changed',
      intro: 'A bank account was given to which your payouts will go.',
      after: 'If it was not you, write to the operator at once.',
    },
    amount: 'Amount',
    account: 'Bank account',
    accountBefore: 'Bank account before',
    date: 'Date',
    id: 'Id',
    givenBy: 'Given by',
    holdUntil: 'On hold until',
    show: 'Show the payout',
    showAccount: 'Show the bank account',
    paidAfter: 'The panel shows what it consists of.',
    endedAfter: 'Check the number of your bank account in the panel. Nothing is tried again by itself.',
  },
  de: {
    paid: {
      subject: (amount) => `Die Auszahlung von ${amount} ist erfolgt`,
      intro: 'Die Bank hat sie auf Ihr Konto überwiesen.',
    },
    returned: {
      subject: (amount) => `Die Auszahlung von ${amount} kam zurück`,
      intro: 'Die Bank hat sie zurückgesandt. Der Betrag ist wieder in Ihrem Guthaben.',
    },
    failed: {
      subject: (amount) => `Die Auszahlung von ${amount} ist fehlgeschlagen`,
      intro: 'Die Bank hat sie abgelehnt. Betrag und Gebühr sind wieder in Ihrem Guthaben.',
    },
    changed: {
      subject: 'Das Bankkonto für Ihre Auszahlungen wurde geändert',
      intro: 'Es wurde ein Bankkonto angegeben, auf das Ihre Auszahlungen gehen werden.',
      after: 'Wenn Sie das nicht waren, schreiben Sie sofort dem Betreiber.',
    },
    amount: 'Betrag',
    account: 'Bankkonto',
    accountBefore: 'Bisheriges Bankkonto',
    date: 'Datum',
    id: 'Kennung',
    givenBy: 'Angegeben von',
    holdUntil: 'Gesperrt bis',
    show: 'Auszahlung ansehen',
    showAccount: 'Bankkonto ansehen',
    paidAfter: 'Im Panel sehen Sie, woraus sie besteht.',
    endedAfter: 'Prüfen Sie die Kontonummer im Panel. Von selbst wird nichts wiederholt.',
  },
  fr: {
    paid: { subject: (amount) => `Le virement de ${amount} est fait`, intro: 'La banque l’a versé sur votre compte.' },
    returned: {
      subject: (amount) => `Le virement de ${amount} est revenu`,
      intro: 'La banque l’a renvoyé. Le montant est de nouveau sur votre solde.',
    },
    failed: {
      subject: (amount) => `Le virement de ${amount} a échoué`,
      intro: 'La banque l’a refusé. Le montant et les frais sont de nouveau sur votre solde.',
    },
    changed: {
      subject: 'Le compte bancaire de vos virements a changé',
      intro: 'Un compte bancaire a été indiqué pour recevoir vos virements.',
      after: 'Si ce n’était pas vous, écrivez tout de suite à l’opérateur.',
    },
    amount: 'Montant',
    account: 'Compte bancaire',
    accountBefore: 'Compte bancaire précédent',
    date: 'Date',
    id: 'Identifiant',
    givenBy: 'Indiqué par',
    holdUntil: 'Suspendu jusqu’au',
    show: 'Voir le virement',
    showAccount: 'Voir le compte bancaire',
    paidAfter: 'Le panneau montre de quoi il se compose.',
    endedAfter: 'Vérifiez le numéro du compte dans le panneau. Rien n’est répété automatiquement.',
  },
  it: {
    paid: {
      subject: (amount) => `Il versamento di ${amount} è stato eseguito`,
      intro: 'La banca lo ha accreditato sul tuo conto.',
    },
    returned: {
      subject: (amount) => `Il versamento di ${amount} è tornato`,
      intro: 'La banca lo ha restituito. L’importo è di nuovo nel tuo saldo.',
    },
    failed: {
      subject: (amount) => `Il versamento di ${amount} non è riuscito`,
      intro: 'La banca lo ha rifiutato. Importo e commissione sono di nuovo nel tuo saldo.',
    },
    changed: {
      subject: 'Il conto bancario dei tuoi versamenti è cambiato',
      intro: 'È stato indicato un conto bancario su cui andranno i tuoi versamenti.',
      after: 'Se non sei stato tu, scrivi subito all’operatore.',
    },
    amount: 'Importo',
    account: 'Conto bancario',
    accountBefore: 'Conto bancario precedente',
    date: 'Data',
    id: 'Identificativo',
    givenBy: 'Indicato da',
    holdUntil: 'Sospeso fino al',
    show: 'Mostra il versamento',
    showAccount: 'Mostra il conto bancario',
    paidAfter: 'Il pannello mostra da che cosa è composto.',
    endedAfter: 'Controlla il numero del conto nel pannello. Nulla viene ripetuto da solo.',
  },
  es: {
    paid: {
      subject: (amount) => `El abono de ${amount} se ha realizado`,
      intro: 'El banco lo ha transferido a su cuenta.',
    },
    returned: {
      subject: (amount) => `El abono de ${amount} ha vuelto`,
      intro: 'El banco lo ha devuelto. El importe está de nuevo en su saldo.',
    },
    failed: {
      subject: (amount) => `El abono de ${amount} ha fallado`,
      intro: 'El banco lo ha rechazado. El importe y la tarifa están de nuevo en su saldo.',
    },
    changed: {
      subject: 'Ha cambiado la cuenta bancaria de sus abonos',
      intro: 'Se ha indicado una cuenta bancaria a la que irán sus abonos.',
      after: 'Si no fue usted, escriba enseguida al operador.',
    },
    amount: 'Importe',
    account: 'Cuenta bancaria',
    accountBefore: 'Cuenta bancaria anterior',
    date: 'Fecha',
    id: 'Identificador',
    givenBy: 'Indicada por',
    holdUntil: 'Retenida hasta',
    show: 'Ver el abono',
    showAccount: 'Ver la cuenta bancaria',
    paidAfter: 'El panel muestra de qué se compone.',
    endedAfter: 'Compruebe el número de la cuenta en el panel. Nada se repite por sí solo.',
  },
  uk: {
    paid: { subject: (amount) => `Виплату ${amount} здійснено`, intro: 'Банк переказав її на ваш рахунок.' },
    returned: {
      subject: (amount) => `Виплата ${amount} повернулася`,
      intro: 'Банк повернув її. Сума знову на вашому балансі.',
    },
    failed: {
      subject: (amount) => `Виплата ${amount} не вдалася`,
      intro: 'Банк відхилив її. Сума і збір знову на вашому балансі.',
    },
    changed: {
      subject: 'Банківський рахунок для виплат змінено',
      intro: 'Вказано банківський рахунок, на який надходитимуть ваші виплати.',
      after: 'Якщо це були не ви, негайно напишіть операторові.',
    },
    amount: 'Сума',
    account: 'Банківський рахунок',
    accountBefore: 'Попередній рахунок',
    date: 'Дата',
    id: 'Ідентифікатор',
    givenBy: 'Хто вказав',
    holdUntil: 'Призупинено до',
    show: 'Показати виплату',
    showAccount: 'Показати банківський рахунок',
    paidAfter: 'У панелі видно, з чого вона складається.',
    endedAfter: 'Перевірте номер рахунку в панелі. Ніщо не повторюється само.',
  },
  ru: {
    paid: { subject: (amount) => `Выплата ${amount} выполнена`, intro: 'Банк перевёл её на ваш счёт.' },
    returned: {
      subject: (amount) => `Выплата ${amount} вернулась`,
      intro: 'Банк вернул её. Сумма снова на вашем балансе.',
    },
    failed: {
      subject: (amount) => `Выплата ${amount} не удалась`,
      intro: 'Банк отклонил её. Сумма и сбор снова на вашем балансе.',
    },
    changed: {
      subject: 'Банковский счёт для выплат изменён',
      intro: 'Указан банковский счёт, на который будут поступать ваши выплаты.',
      after: 'Если это были не вы, немедленно напишите оператору.',
    },
    amount: 'Сумма',
    account: 'Банковский счёт',
    accountBefore: 'Прежний счёт',
    date: 'Дата',
    id: 'Идентификатор',
    givenBy: 'Кто указал',
    holdUntil: 'Приостановлен до',
    show: 'Показать выплату',
    showAccount: 'Показать банковский счёт',
    paidAfter: 'В панели видно, из чего она состоит.',
    endedAfter: 'Проверьте номер счёта в панели. Само ничего не повторяется.',
  },
};
