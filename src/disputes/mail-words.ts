// Texts of the mails about disputes, in every language that an account may have.

import type { languages } from '../../contract/languages.ts';
import type { DisputeState } from './model.ts';

interface About {
  readonly subject: string;
  readonly intro: string;
  readonly after: string;
}

type DisputeWords = Readonly<Record<DisputeState, (amount: string, returned: string) => About>> & {
  readonly amount: string;
  readonly reason: string;
  readonly until: string;
  readonly dispute: string;
  /** Of one that is open: to whom evidence goes. `contact` is in brackets after the operator, or empty. */
  readonly evidence: (contact: string) => string;
};

export const disputeMailWords: Readonly<Record<string, DisputeWords>> & {
  readonly [Language in (typeof languages)[number]]: DisputeWords;
} = {
  pl: {
    amount: 'Kwota sporna',
    reason: 'Powód podany przez agenta rozliczeniowego',
    until: 'Czas na odpowiedź',
    dispute: 'Spór',
    evidence: (contact) =>
      `Jeżeli chcesz odeprzeć spór, wyślij dowody operatorowi usługi${contact} na długo przed terminem: zamówienie, potwierdzenie dostawy, korespondencję z płatnikiem. Operator przekaże je agentowi rozliczeniowemu. Bez dowodów spór zostanie przegrany.`,
    opened: (amount) => ({
      subject: `Płatnik reklamuje płatność: ${amount}`,
      intro: `Bank płatnika żąda zwrotu ${amount}. Kwota została zdjęta z Twojego salda; jeżeli saldo nie wystarczyło, reszta jest Twoim długiem.`,
      after: 'Nie zwracaj tej płatności: płatnik dostałby pieniądze dwa razy. Niewysłane zwroty są wstrzymane.',
    }),
    won: (amount, returned) => ({
      subject: `Spór wygrany: ${amount}`,
      intro: `Spór o ${amount} zakończył się na Twoją korzyść. ${returned} pokryło najpierw ewentualny dług, reszta jest znowu na Twoim saldzie.`,
      after: 'Wstrzymane zwroty możesz teraz wznowić albo anulować.',
    }),
    lost: (amount) => ({
      subject: `Spór przegrany: ${amount}`,
      intro: `Spór o ${amount} zakończył się na korzyść płatnika. Bank płatnika zatrzymuje pieniądze.`,
      after:
        'Płatnik ma już te pieniądze, więc nie zwracaj tej kwoty. Wstrzymany zwrot możesz anulować: jego kwota i prowizja wrócą na Twoje saldo.',
    }),
  },
  en: {
    amount: 'Disputed',
    reason: "The acquirer's reason",
    until: 'Respond by',
    dispute: 'Dispute',
    evidence: (contact) =>
      `To contest the dispute, send your evidence to the operator of the service${contact} well before the deadline: the order, the proof of delivery, messages with the payer. The operator submits it to the acquirer. Without evidence the dispute will be lost.`,
    opened: (amount) => ({
      subject: `A payer disputes a payment: ${amount}`,
      intro: `The payer's bank asks for ${amount} back. The amount has left your balance; what the balance did not cover, you owe.`,
      after: 'Do not refund this payment: the payer would get the money twice. Refunds that were not sent are on hold.',
    }),
    won: (amount, returned) => ({
      subject: `Dispute won: ${amount}`,
      intro: `The dispute of ${amount} was decided for you. ${returned} first paid what you owed, if anything; the rest is in your balance again.`,
      after: 'You can now release or cancel the refunds that are on hold.',
    }),
    lost: (amount) => ({
      subject: `Dispute lost: ${amount}`,
      intro: `The dispute of ${amount} was decided for the payer, whose bank keeps the money.`,
      after:
        'The payer has this money, so do not refund it. A refund that is on hold can be canceled: its amount and fee return to your balance.',
    }),
  },
  de: {
    amount: 'Strittiger Betrag',
    reason: 'Grund laut Acquirer',
    until: 'Antwort bis',
    dispute: 'Zahlungsstreit',
    evidence: (contact) =>
      `Wenn Sie widersprechen wollen, senden Sie Ihre Belege rechtzeitig vor Ablauf der Frist an den Betreiber des Dienstes${contact}: Bestellung, Liefernachweis, Schriftwechsel mit dem Zahler. Er reicht sie beim Acquirer ein. Ohne Belege geht der Streit verloren.`,
    opened: (amount) => ({
      subject: `Ein Zahler beanstandet eine Zahlung: ${amount}`,
      intro: `Die Bank des Zahlers fordert ${amount} zurück. Der Betrag wurde von Ihrem Guthaben abgezogen; was es nicht deckte, schulden Sie.`,
      after:
        'Erstatten Sie diese Zahlung nicht: Der Zahler bekäme das Geld doppelt. Noch nicht gesendete Erstattungen sind angehalten.',
    }),
    won: (amount, returned) => ({
      subject: `Zahlungsstreit gewonnen: ${amount}`,
      intro: `Der Streit um ${amount} wurde zu Ihren Gunsten entschieden. ${returned} haben zuerst eine etwaige Schuld beglichen; der Rest ist wieder in Ihrem Guthaben.`,
      after: 'Angehaltene Erstattungen können Sie jetzt freigeben oder stornieren.',
    }),
    lost: (amount) => ({
      subject: `Zahlungsstreit verloren: ${amount}`,
      intro: `Der Streit um ${amount} wurde zugunsten des Zahlers entschieden, dessen Bank das Geld behält.`,
      after:
        'Der Zahler hat dieses Geld, erstatten Sie es also nicht. Eine angehaltene Erstattung können Sie stornieren: Betrag und Gebühr kehren auf Ihr Guthaben zurück.',
    }),
  },
  fr: {
    amount: 'Montant contesté',
    reason: 'Motif donné par l’acquéreur',
    until: 'Réponse avant le',
    dispute: 'Litige',
    evidence: (contact) =>
      `Pour contester le litige, envoyez vos justificatifs à l’opérateur du service${contact} bien avant l’échéance : la commande, la preuve de livraison, les échanges avec le payeur. Il les transmet à l’acquéreur. Sans justificatifs, le litige sera perdu.`,
    opened: (amount) => ({
      subject: `Un payeur conteste un paiement : ${amount}`,
      intro: `La banque du payeur réclame ${amount}. Le montant a été retiré de votre solde ; ce qu’il ne couvrait pas, vous le devez.`,
      after:
        'Ne remboursez pas ce paiement : le payeur recevrait l’argent deux fois. Les remboursements non envoyés sont suspendus.',
    }),
    won: (amount, returned) => ({
      subject: `Litige gagné : ${amount}`,
      intro: `Le litige de ${amount} a été tranché en votre faveur. ${returned} ont d’abord réglé une dette éventuelle ; le reste est de nouveau sur votre solde.`,
      after: 'Vous pouvez maintenant reprendre ou annuler les remboursements suspendus.',
    }),
    lost: (amount) => ({
      subject: `Litige perdu : ${amount}`,
      intro: `Le litige de ${amount} a été tranché en faveur du payeur, dont la banque garde l’argent.`,
      after:
        'Le payeur a cet argent : ne le remboursez pas. Un remboursement suspendu peut être annulé : son montant et ses frais reviennent sur votre solde.',
    }),
  },
  it: {
    amount: 'Importo contestato',
    reason: 'Motivo indicato dall’acquirer',
    until: 'Rispondere entro',
    dispute: 'Contestazione',
    evidence: (contact) =>
      `Per opporti, invia le prove al gestore del servizio${contact} con largo anticipo sulla scadenza: l’ordine, la prova di consegna, i messaggi con il pagatore. Il gestore le presenta all’acquirer. Senza prove la contestazione sarà persa.`,
    opened: (amount) => ({
      subject: `Un pagatore contesta un pagamento: ${amount}`,
      intro: `La banca del pagatore chiede ${amount}. L’importo è stato tolto dal tuo saldo; ciò che il saldo non copriva è un tuo debito.`,
      after:
        'Non rimborsare questo pagamento: il pagatore riceverebbe il denaro due volte. I rimborsi non inviati sono sospesi.',
    }),
    won: (amount, returned) => ({
      subject: `Contestazione vinta: ${amount}`,
      intro: `La contestazione di ${amount} è stata decisa a tuo favore. ${returned} hanno prima coperto un eventuale debito; il resto è di nuovo nel tuo saldo.`,
      after: 'Ora puoi riprendere o annullare i rimborsi sospesi.',
    }),
    lost: (amount) => ({
      subject: `Contestazione persa: ${amount}`,
      intro: `La contestazione di ${amount} è stata decisa a favore del pagatore, la cui banca tiene il denaro.`,
      after:
        'Il pagatore ha questo denaro: non rimborsarlo. Un rimborso sospeso si può annullare: importo e commissione tornano sul tuo saldo.',
    }),
  },
  es: {
    amount: 'Importe disputado',
    reason: 'Motivo del adquirente',
    until: 'Responder antes del',
    dispute: 'Disputa',
    evidence: (contact) =>
      `Para oponerte, envía las pruebas al operador del servicio${contact} con suficiente antelación: el pedido, el justificante de entrega, los mensajes con el pagador. El operador las presenta al adquirente. Sin pruebas, la disputa se perderá.`,
    opened: (amount) => ({
      subject: `Un pagador disputa un pago: ${amount}`,
      intro: `El banco del pagador reclama ${amount}. El importe ha salido de tu saldo; lo que el saldo no cubría, lo debes.`,
      after:
        'No reembolses este pago: el pagador recibiría el dinero dos veces. Los reembolsos no enviados están en espera.',
    }),
    won: (amount, returned) => ({
      subject: `Disputa ganada: ${amount}`,
      intro: `La disputa de ${amount} se resolvió a tu favor. ${returned} cubrieron primero una posible deuda; el resto está de nuevo en tu saldo.`,
      after: 'Ahora puedes reanudar o cancelar los reembolsos en espera.',
    }),
    lost: (amount) => ({
      subject: `Disputa perdida: ${amount}`,
      intro: `La disputa de ${amount} se resolvió a favor del pagador, cuyo banco se queda el dinero.`,
      after:
        'El pagador tiene este dinero: no lo reembolses. Un reembolso en espera se puede cancelar: su importe y su comisión vuelven a tu saldo.',
    }),
  },
  uk: {
    amount: 'Спірна сума',
    reason: 'Причина від еквайра',
    until: 'Відповісти до',
    dispute: 'Спір',
    evidence: (contact) =>
      `Щоб заперечити, завчасно надішліть докази оператору сервісу${contact}: замовлення, підтвердження доставки, листування з платником. Оператор передасть їх еквайру. Без доказів спір буде програно.`,
    opened: (amount) => ({
      subject: `Платник оскаржує платіж: ${amount}`,
      intro: `Банк платника вимагає повернути ${amount}. Суму знято з вашого балансу; чого не вистачило, те ви винні.`,
      after: 'Не повертайте цей платіж: платник отримав би гроші двічі. Ще не надіслані повернення призупинено.',
    }),
    won: (amount, returned) => ({
      subject: `Спір виграно: ${amount}`,
      intro: `Спір на ${amount} вирішено на вашу користь. ${returned} спершу покрили борг, якщо він був; решта знову на вашому балансі.`,
      after: 'Призупинені повернення тепер можна відновити або скасувати.',
    }),
    lost: (amount) => ({
      subject: `Спір програно: ${amount}`,
      intro: `Спір на ${amount} вирішено на користь платника, гроші лишаються в його банку.`,
      after:
        'Платник уже має ці гроші, тож не повертайте їх. Призупинене повернення можна скасувати: його сума й комісія повернуться на ваш баланс.',
    }),
  },
  ru: {
    amount: 'Спорная сумма',
    reason: 'Причина от эквайера',
    until: 'Ответить до',
    dispute: 'Спор',
    evidence: (contact) =>
      `Чтобы возразить, заранее отправьте доказательства оператору сервиса${contact}: заказ, подтверждение доставки, переписку с плательщиком. Оператор передаст их эквайеру. Без доказательств спор будет проигран.`,
    opened: (amount) => ({
      subject: `Плательщик оспаривает платёж: ${amount}`,
      intro: `Банк плательщика требует вернуть ${amount}. Сумма снята с вашего баланса; чего не хватило, то вы должны.`,
      after: 'Не возвращайте этот платёж: плательщик получил бы деньги дважды. Неотправленные возвраты приостановлены.',
    }),
    won: (amount, returned) => ({
      subject: `Спор выигран: ${amount}`,
      intro: `Спор на ${amount} решён в вашу пользу. ${returned} сначала покрыли долг, если он был; остальное снова на вашем балансе.`,
      after: 'Приостановленные возвраты теперь можно возобновить или отменить.',
    }),
    lost: (amount) => ({
      subject: `Спор проигран: ${amount}`,
      intro: `Спор на ${amount} решён в пользу плательщика, деньги остаются в его банке.`,
      after:
        'У плательщика уже есть эти деньги, поэтому не возвращайте их. Приостановленный возврат можно отменить: его сумма и комиссия вернутся на ваш баланс.',
    }),
  },
};
