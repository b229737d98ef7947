import type { Words } from './words.ts';

export const de: Words = {
  language: 'Sprache',
  summary: 'Ihre Zahlung',
  amount: 'Zu zahlen',
  sum: 'Betrag',
  merchant: 'Empfänger',
  description: 'Verwendungszweck',
  number: 'Zahlungsnummer',
  sellers: (count) => `Verkäufer: ${count}`,
  moreProducts: (count) => (count === 1 ? 'und ein weiterer Artikel' : `und ${count} weitere Artikel`),
  secure: 'Sichere Zahlung',
  testMode: 'Testmodus: Es wird kein echtes Geld abgebucht.',
  testValues: 'Testdaten',
  outcomes: {
    approved: 'bezahlt',
    later: 'nach 5 s bezahlt',
    'wrong code': 'falscher Code',
    'insufficient funds': 'Konto nicht gedeckt',
    'payer rejected': 'in der App abgelehnt',
    'timed out': 'nie bestätigt',
    'declined by amount': 'abgelehnt, wenn der Betrag so endet',
  },
  methods: {
    64: { name: 'BLIK', hint: 'Mit dem Code aus Ihrer Banking-App' },
    53: { name: 'Karte', hint: 'Debit- oder Kreditkarte' },
    21: { name: 'Banküberweisung', hint: 'Sie bestätigen sie bei Ihrer Bank' },
    75: { name: 'Wallet im Gerät', hint: 'Mit einer Karte, die auf diesem Gerät gespeichert ist' },
    106: { name: 'Online-Wallet', hint: 'Sie melden sich bei Ihrer Wallet an' },
  },
  choose: 'Wie möchten Sie zahlen?',
  noMethod: 'Der Shop bietet derzeit keine Zahlungsart an. Bitte wenden Sie sich an den Shop.',
  otherWays: 'Andere Zahlungsart wählen',
  pay: (amount) => `${amount} zahlen`,
  sending: 'Wird gesendet…',
  blik: {
    title: 'Mit BLIK zahlen',
    label: 'BLIK-Code',
    hint: 'Sechs Ziffern aus Ihrer Banking-App',
    paste: 'Einfügen',
  },
  card: {
    title: 'Mit Karte zahlen',
    number: 'Kartennummer',
    expiry: 'Gültig bis',
    expiryShape: 'MM/JJ',
    code: 'Prüfnummer',
    codeHint: '3 Ziffern auf der Rückseite, bei manchen Karten 4 auf der Vorderseite',
    save: (merchant) => `${merchant} darf diese Karte für spätere Zahlungen speichern`,
    direct: 'Ihre Kartendaten gehen direkt an unseren Server. Der Shop sieht sie nicht.',
    encrypted: 'Ihre Kartendaten werden verschlüsselt, bevor sie diese Seite verlassen. Der Shop sieht sie nicht.',
  },
  transfer: {
    title: 'Wählen Sie Ihre Bank',
    hint: 'Sie melden sich bei Ihrer Bank an und bestätigen die bereits ausgefüllte Überweisung.',
    go: 'Weiter zu Ihrer Bank',
  },
  wallet: {
    title: 'Mit der Wallet dieses Geräts zahlen',
    hint: 'Sie wählen eine auf diesem Gerät gespeicherte Karte und bestätigen wie beim Entsperren. Der Shop sieht Ihre Karte nicht.',
    go: 'Mit der Wallet zahlen',
    missing:
      'Dieser Browser hat keine Wallet, mit der Sie zahlen könnten. Öffnen Sie diese Seite auf einem Gerät mit Wallet.',
    failed:
      'Die Zahlung mit der Wallet hat nicht funktioniert. Ihr Konto wurde nicht belastet. Bitte versuchen Sie es erneut oder wählen Sie eine andere Zahlungsart.',
  },
  onlineWallet: {
    title: 'Mit der Online-Wallet zahlen',
    hint: 'Sie melden sich bei Ihrer Wallet an, bestätigen die Zahlung und kommen hierher zurück.',
    go: 'Weiter zur Wallet',
  },
  stillOpen:
    'Ihre vorherige Zahlung ist noch nicht bestätigt. Wenn Sie hier erneut zahlen, halten wir sie zuerst an: Sie zahlen nur einmal.',
  faults: {
    title: 'Bitte prüfen Sie Ihre Angaben',
    blik: 'Geben Sie die sechs Ziffern des BLIK-Codes ein.',
    number: 'Prüfen Sie die Kartennummer: Eine Ziffer ist falsch oder fehlt.',
    expiry: 'Geben Sie das Ablaufdatum so ein, wie es auf der Karte steht: Monat und Jahr.',
    expired: 'Diese Karte ist abgelaufen. Verwenden Sie eine andere.',
    code: 'Geben Sie die 3 oder 4 Ziffern der Prüfnummer ein.',
  },
  waiting: {
    blikTitle: 'Bestätigen Sie die Zahlung in Ihrer Banking-App',
    blikText: 'Öffnen Sie die App und bestätigen Sie. Diese Seite wird automatisch aktualisiert.',
    title: 'Ihre Zahlung wird bearbeitet',
    text: 'Wir warten auf die Antwort der Bank. Diese Seite wird automatisch aktualisiert; bitte zahlen Sie nicht noch einmal.',
    left: 'Zeit zum Bestätigen: {time}',
    long: 'Wir warten noch auf die Bestätigung.',
    veryLong:
      'Das dauert länger als üblich. Sie können diese Seite schließen: Nichts geht verloren, und der Shop erfährt das Ergebnis.',
    noScript: 'Diese Seite prüft alle paar Sekunden das Ergebnis.',
    check: 'Jetzt nachsehen',
  },
  confirm: {
    title: 'Bestätigen Sie die Zahlung bei Ihrer Bank',
    text: 'Ihre Bank bittet Sie, diese Zahlung auf ihrer Seite zu bestätigen. Danach kommen Sie hierher zurück.',
    go: 'Zur Seite der Bank',
    going: 'Wir leiten Sie zu Ihrer Bank weiter…',
  },
  paid: {
    title: 'Zahlung erfolgreich',
    text: (merchant) => `Vielen Dank. ${merchant} wurde informiert.`,
    beforeTitle: 'Diese Zahlung wurde bereits ausgeführt',
    beforeText: 'Sie müssen nichts weiter tun. Ihr Konto wurde einmal belastet.',
    refundedTitle: 'Diese Zahlung wurde erstattet',
    refundedText: 'Der Shop hat den Betrag erstattet. Es kann einige Tage dauern, bis er bei Ihnen ankommt.',
    date: 'Datum',
    method: 'Zahlungsart',
    close: 'Sie können diese Seite schließen.',
  },
  toShop: 'Zurück zum Shop',
  forward: 'In {seconds} s kehren Sie zum Shop zurück.',
  stay: 'Auf dieser Seite bleiben',
  declined: 'Die Zahlung wurde abgelehnt',
  reasons: {
    'insufficient funds': 'Das Konto ist nicht gedeckt oder das Limit erreicht. Ihr Konto wurde nicht belastet.',
    'instrument invalid':
      'Die Karte ist ungültig. Prüfen Sie die Angaben oder verwenden Sie eine andere. Ihr Konto wurde nicht belastet.',
    'instrument rejected':
      'Ihre Bank hat die Zahlung abgelehnt. Verwenden Sie eine andere Karte oder Zahlungsart. Ihr Konto wurde nicht belastet.',
    'payer rejected':
      'Die Zahlung wurde in der Banking-App oder auf der Seite der Bank abgelehnt. Ihr Konto wurde nicht belastet.',
    'internal error':
      'Die Bank ist zurzeit nicht erreichbar. Ihr Konto wurde nicht belastet. Bitte versuchen Sie es gleich noch einmal.',
    'wrong code':
      'Der Code ist falsch oder nicht mehr gültig. Erzeugen Sie in Ihrer Banking-App einen neuen. Ihr Konto wurde nicht belastet.',
    'timed out': 'Die Zahlung wurde nicht rechtzeitig bestätigt. Ihr Konto wurde nicht belastet.',
    'authentication failed':
      'Die Bank konnte nicht bestätigen, dass Sie es sind (3-D Secure). Ihr Konto wurde nicht belastet.',
  },
  exhausted: {
    title: 'Zu viele Versuche',
    text: 'Es gab zu viele Zahlungsversuche. Bitte beginnen Sie im Shop von vorn. Ihr Konto wurde nicht belastet.',
  },
  canceled: {
    title: 'Diese Zahlung wurde abgebrochen',
    text: 'Sie kann nicht mehr ausgeführt werden, und Ihr Konto wurde nicht belastet.',
    givenBack: 'Sie kann nicht mehr ausgeführt werden. Geld, das danach ankam, ist auf dem Weg zurück zu Ihnen.',
  },
  expired: {
    title: 'Die Zahlungsfrist ist abgelaufen',
    text: 'Diese Zahlung kann nicht mehr ausgeführt werden. Bitte bestellen Sie im Shop erneut.',
  },
  cancel: {
    link: 'Abbrechen und zurück zum Shop',
    linkWithoutShop: 'Zahlung abbrechen',
    title: 'Diese Zahlung abbrechen?',
    text: 'Sie kann dann nicht mehr ausgeführt werden.',
    yes: 'Zahlung abbrechen',
    no: 'Nein, Zahlung fortsetzen',
  },
  notFound: {
    title: 'Diese Zahlung gibt es nicht',
    text: 'Prüfen Sie die Adresse, oder öffnen Sie den Link aus dem Shop noch einmal.',
  },
  failed: {
    title: 'Bei uns ist etwas schiefgegangen',
    text: 'Bitte öffnen Sie die Zahlung gleich noch einmal: Sie sehen dann, ob sie ausgeführt wurde.',
    again: 'Zahlung noch einmal öffnen',
  },
  refusedForm: {
    title: 'Es wurde nichts gesendet',
    text: 'Das Formular kam nicht von dieser Seite. Bitte öffnen Sie die Zahlung noch einmal.',
    again: 'Zahlung noch einmal öffnen',
  },
  refusedFrame: {
    title: 'Das Zahlungsformular kann auf dieser Seite nicht angezeigt werden',
    text: (origin) => `Der Shop hat es für „${origin}“ nicht freigegeben. Sie können auf der Zahlungsseite bezahlen.`,
    go: 'Zahlungsseite öffnen',
  },
  operator: (name) => `Zahlung abgewickelt durch ${name}`,
  terms: 'Bedingungen',
  support: 'Hilfe',
  phone: {
    title: 'Mit dem Smartphone zahlen',
    text: 'Scannen Sie diesen Code, um die Zahlung auf Ihrem Smartphone zu öffnen.',
  },
};
