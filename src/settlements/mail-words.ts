// Texts of the mail about a settlement, in every language that an account may have.

import type { languages } from '../../contract/languages.ts';

interface SettlementWords {
  readonly subject: (number: number) => string;
  readonly intro: (number: number) => string;
  readonly from: string;
  readonly to: string;
  readonly opening: string;
  readonly amount: string;
  readonly fee: string;
  readonly commission: string;
  readonly other: string;
  readonly closing: string;
  readonly lines: string;
  readonly show: string;
  readonly after: string;
}

export const settlementMailWords: Readonly<Record<string, SettlementWords>> & {
  readonly [Language in (typeof languages)[number]]: SettlementWords;
} = {
  pl: {
    subject: (number) => `Rozliczenie nr ${number}`,
    intro: (number) =>
      `Rozliczenie nr ${number} jest gotowe. Zaczyna się tam, gdzie skończyło się poprzednie, i zawiera każdą zmianę Twojego salda.`,
    from: 'Od',
    to: 'Do',
    opening: 'Saldo początkowe',
    amount: 'Płatności, zwroty i spory',
    fee: 'Opłaty',
    commission: 'Prowizje',
    other: 'Inne, w tym wypłaty',
    closing: 'Saldo końcowe',
    lines: 'Liczba pozycji',
    show: 'Pokaż rozliczenie',
    after: 'Wszystkie pozycje znajdziesz w panelu, także jako plik, i w API.',
  },
  en: {
    subject: (number) => `Settlement no. ${number}`,
    intro: (number) =>
      `Settlement no. ${number} is ready. It begins where the one before it ended, and has every change of your balance.`,
    from: 'From',
    to: 'To',
    opening: 'Opening balance',
    amount: 'Payments, refunds and disputes',
    fee: 'Fees',
    commission: 'Commissions',
    other: 'Other, such as payouts',
    closing: 'Closing balance',
    lines: 'Number of lines',
    show: 'Show the settlement',
    after: 'All lines are in the panel, also as a file, and in the API.',
  },
  de: {
    subject: (number) => `Abrechnung Nr. ${number}`,
    intro: (number) =>
      `Die Abrechnung Nr. ${number} liegt vor. Sie beginnt, wo die vorige endete, und enthält jede Änderung Ihres Guthabens.`,
    from: 'Von',
    to: 'Bis',
    opening: 'Anfangssaldo',
    amount: 'Zahlungen, Erstattungen und Streitfälle',
    fee: 'Gebühren',
    commission: 'Provisionen',
    other: 'Sonstiges, etwa Auszahlungen',
    closing: 'Endsaldo',
    lines: 'Anzahl der Posten',
    show: 'Abrechnung ansehen',
    after: 'Alle Posten finden Sie im Panel, auch als Datei, und in der API.',
  },
  fr: {
    subject: (number) => `Relevé n° ${number}`,
    intro: (number) =>
      `Le relevé n° ${number} est disponible. Il commence là où le précédent se terminait et contient chaque mouvement de votre solde.`,
    from: 'Du',
    to: 'Au',
    opening: 'Solde initial',
    amount: 'Paiements, remboursements et litiges',
    fee: 'Frais',
    commission: 'Commissions',
    other: 'Autres, dont les virements',
    closing: 'Solde final',
    lines: 'Nombre de lignes',
    show: 'Voir le relevé',
    after: 'Toutes les lignes sont dans le panneau, aussi en fichier, et dans l’API.',
  },
  it: {
    subject: (number) => `Rendiconto n. ${number}`,
    intro: (number) =>
      `Il rendiconto n. ${number} è pronto. Comincia dove finiva il precedente e contiene ogni variazione del tuo saldo.`,
    from: 'Dal',
    to: 'Al',
    opening: 'Saldo iniziale',
    amount: 'Pagamenti, rimborsi e contestazioni',
    fee: 'Commissioni del servizio',
    commission: 'Provvigioni',
    other: 'Altro, come i versamenti',
    closing: 'Saldo finale',
    lines: 'Numero di righe',
    show: 'Mostra il rendiconto',
    after: 'Tutte le righe sono nel pannello, anche come file, e nell’API.',
  },
  es: {
    subject: (number) => `Liquidación n.º ${number}`,
    intro: (number) =>
      `La liquidación n.º ${number} está lista. Empieza donde terminó la anterior y contiene cada cambio de su saldo.`,
    from: 'Desde',
    to: 'Hasta',
    opening: 'Saldo inicial',
    amount: 'Pagos, reembolsos y disputas',
    fee: 'Tarifas',
    commission: 'Comisiones',
    other: 'Otros, como los abonos en cuenta',
    closing: 'Saldo final',
    lines: 'Número de líneas',
    show: 'Ver la liquidación',
    after: 'Todas las líneas están en el panel, también como archivo, y en la API.',
  },
  uk: {
    subject: (number) => `Розрахунок № ${number}`,
    intro: (number) =>
      `Розрахунок № ${number} готовий. Він починається там, де закінчився попередній, і містить кожну зміну вашого балансу.`,
    from: 'Від',
    to: 'До',
    opening: 'Початковий баланс',
    amount: 'Платежі, повернення та спори',
    fee: 'Збори',
    commission: 'Комісії',
    other: 'Інше, зокрема виплати',
    closing: 'Кінцевий баланс',
    lines: 'Кількість рядків',
    show: 'Показати розрахунок',
    after: 'Усі рядки є в панелі, також у вигляді файлу, і в API.',
  },
  ru: {
    subject: (number) => `Расчёт № ${number}`,
    intro: (number) =>
      `Расчёт № ${number} готов. Он начинается там, где закончился предыдущий, и содержит каждое изменение вашего баланса.`,
    from: 'С',
    to: 'По',
    opening: 'Начальный баланс',
    amount: 'Платежи, возвраты и споры',
    fee: 'Сборы',
    commission: 'Комиссии',
    other: 'Прочее, в том числе выплаты',
    closing: 'Конечный баланс',
    lines: 'Число строк',
    show: 'Показать расчёт',
    after: 'Все строки есть в панели, в том числе файлом, и в API.',
  },
};
