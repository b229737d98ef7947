import type { Words } from './words.ts';

export const fr: Words = {
  language: 'Langue',
  summary: 'Votre paiement',
  amount: 'Montant à payer',
  sum: 'Montant',
  merchant: 'Bénéficiaire',
  description: 'Objet',
  number: 'Numéro de paiement',
  sellers: (count) => `Vendeurs\u00a0: ${count}`,
  moreProducts: (count) => (count === 1 ? 'et 1 autre article' : `et ${count} autres articles`),
  secure: 'Paiement sécurisé',
  testMode: 'Mode test\u00a0: aucun argent réel n’est débité.',
  testValues: 'Données de test',
  outcomes: {
    approved: 'accepté',
    later: 'accepté après 5\u00a0s',
    'wrong code': 'code incorrect',
    'insufficient funds': 'solde insuffisant',
    'payer rejected': 'refusé dans l’application',
    'timed out': 'jamais confirmé',
    'declined by amount': 'refusé si le montant se termine ainsi',
  },
  choose: 'Comment souhaitez-vous payer\u00a0?',
  noMethod: 'La boutique ne propose aucun moyen de paiement pour le moment. Veuillez la contacter.',
  otherWays: 'Choisir un autre moyen de paiement',
  pay: (amount) => `Payer ${amount}`,
  sending: 'Envoi en cours…',
  blik: {
    title: 'Payer avec BLIK',
    label: 'Code BLIK',
    hint: 'Les six chiffres affichés dans votre application bancaire',
    paste: 'Coller',
  },
  card: {
    title: 'Payer par carte',
    number: 'Numéro de carte',
    expiry: 'Date d’expiration',
    expiryShape: 'MM/AA',
    code: 'Cryptogramme (CVC/CVV)',
    codeHint: '3 chiffres au dos de la carte, ou 4 au recto sur certaines cartes',
    codeHints: { 3: '3 chiffres au dos de la carte', 4: '4 chiffres au recto de la carte' },
    accepted: 'Cartes acceptées',
    save: (merchant) => `J’autorise ${merchant} à enregistrer cette carte pour de prochains paiements`,
    direct: 'Les données de votre carte sont transmises directement à notre serveur. La boutique ne les voit pas.',
    encrypted: 'Les données de votre carte sont chiffrées avant de quitter cette page. La boutique ne les voit pas.',
    vendor: {
      loading: 'Chargement du formulaire de carte…',
      direct:
        'Les données de votre carte sont envoyées directement au prestataire de paiement. La boutique ne les voit pas.',
      missing:
        'Le formulaire de carte ne peut pas être affiché\u00a0: le script du prestataire de paiement ne s’est pas chargé dans ce navigateur. Autorisez-le et rechargez la page, ou choisissez un autre moyen de paiement.',
      elsewhere: 'Vous saisissez les données de votre carte sur la page de paiement.',
      go: 'Continuer vers la page de paiement',
    },
  },
  transfer: {
    title: 'Choisissez votre banque',
    hint: 'Vous vous connectez à votre banque et confirmez le virement, dont les données sont déjà remplies.',
    go: 'Continuer vers votre banque',
    search: 'Rechercher votre banque',
    found: 'Banques trouvées\u00a0: {count}',
    notListed: {
      title: 'Ma banque n’est pas dans la liste',
      text: 'Seules les banques de cette liste peuvent être utilisées. Choisissez un autre moyen de paiement.',
    },
    away: {
      title: 'Payer par virement bancaire',
      hint: (page) => `Sur ${page}, vous choisissez votre banque, vous y connectez et confirmez le virement.`,
      go: (page) => `Continuer vers ${page}`,
    },
  },
  email: {
    label: 'Adresse e-mail',
    hint: 'Le prestataire du virement en a besoin.',
    neededBy: (page) => `${page} a besoin de votre adresse e-mail.`,
  },
  wallet: {
    title: 'Payer avec le portefeuille de cet appareil',
    hint: 'Vous choisissez une carte enregistrée sur cet appareil et confirmez comme pour le déverrouiller. La boutique ne voit pas votre carte.',
    go: 'Payer avec le portefeuille',
    missing:
      'Ce navigateur ne dispose d’aucun portefeuille de paiement. Ouvrez cette page sur un appareil qui en possède un.',
    failed:
      'Le paiement avec le portefeuille n’a pas abouti. Aucun montant n’a été débité. Réessayez ou choisissez un autre moyen de paiement.',
  },
  stillOpen:
    'Votre paiement précédent n’est pas encore confirmé. Si vous payez de nouveau ici, nous l’annulerons d’abord\u00a0: vous ne paierez qu’une seule fois.',
  faults: {
    title: 'Vérifiez votre saisie',
    blik: 'Saisissez les six chiffres du code BLIK.',
    missing: 'Saisissez le numéro de la carte.',
    brand: 'Les cartes de cette marque ne sont pas acceptées ici. Utilisez une autre carte.',
    number: 'Vérifiez le numéro de carte\u00a0: un chiffre est incorrect ou manquant.',
    expiry: 'Saisissez la date d’expiration telle qu’elle figure sur la carte\u00a0: mois et année.',
    expired: 'Cette carte a expiré. Utilisez-en une autre.',
    code: 'Saisissez les 3 ou 4 chiffres du cryptogramme.',
    longCode: 'Saisissez les 4 chiffres au recto de la carte.',
    token: 'Les données de votre carte n’ont pas pu être utilisées. Veuillez les saisir à nouveau.',
    email: 'Saisissez une adresse e-mail, par exemple jan@example.com.',
  },
  network: {
    unreachable: 'Le service de paiement est injoignable. Nous vérifions si votre paiement a été envoyé.',
    notSent:
      'Votre paiement ne nous est pas parvenu. Vous pouvez payer de nouveau\u00a0: le montant ne sera débité qu’une seule fois.',
    offline: 'Pas de connexion au service de paiement. Cette page reprendra automatiquement dès son retour.',
  },
  waiting: {
    blikTitle: 'Confirmez le paiement dans votre application bancaire',
    blikText: 'Ouvrez l’application et confirmez. Cette page s’actualise automatiquement.',
    title: 'Votre paiement est en cours de traitement',
    text: 'Nous attendons la réponse de la banque. Cette page s’actualise automatiquement\u00a0; merci de ne pas payer une seconde fois.',
    left: 'Temps restant pour confirmer\u00a0: {time}',
    long: 'Nous attendons toujours la confirmation.',
    veryLong:
      'Cela prend plus de temps que d’habitude. Vous pouvez fermer cette page\u00a0: rien ne sera perdu et nous informerons la boutique du résultat.',
    noScript: 'Cette page vérifie le résultat à intervalles de quelques secondes.',
    check: 'Vérifier maintenant',
  },
  confirm: {
    title: 'Confirmez le paiement auprès de votre banque',
    text: 'Votre banque vous demande de confirmer ce paiement sur son site. Vous reviendrez ensuite ici.',
    go: 'Aller sur le site de la banque',
    going: 'Redirection vers votre banque…',
  },
  paid: {
    title: 'Paiement réussi',
    text: (merchant) => `Merci. ${merchant} peut désormais voir votre paiement.`,
    beforeTitle: 'Ce paiement a déjà été effectué',
    beforeText: 'Vous n’avez plus rien à faire. Le montant n’a été débité qu’une seule fois.',
    refundedTitle: 'Ce paiement a été remboursé',
    refundedText: 'La boutique vous a remboursé. Le montant peut mettre quelques jours à vous parvenir.',
    date: 'Date',
    method: 'Moyen de paiement',
    close: 'Vous pouvez fermer cette page.',
  },
  toShop: 'Retour à la boutique',
  forward: 'Retour à la boutique dans {seconds}\u00a0s.',
  stay: 'Rester sur cette page',
  declined: 'Le paiement a été refusé',
  declinedTitle: 'Refusé',
  reasons: {
    'insufficient funds': 'Le solde du compte est insuffisant ou le plafond est atteint. Aucun montant n’a été débité.',
    'instrument invalid':
      'La carte n’est pas valide. Vérifiez ses données ou utilisez-en une autre. Aucun montant n’a été débité.',
    'instrument rejected':
      'Votre banque a refusé le paiement. Utilisez une autre carte ou un autre moyen de paiement. Aucun montant n’a été débité.',
    'payer rejected':
      'Le paiement a été refusé dans l’application ou sur le site de la banque. Aucun montant n’a été débité.',
    'internal error':
      'La banque est injoignable pour le moment. Aucun montant n’a été débité. Réessayez dans un instant.',
    'wrong code':
      'Le code est incorrect ou n’est plus valable. Générez-en un nouveau dans votre application bancaire. Aucun montant n’a été débité.',
    'timed out': 'Le paiement n’a pas été confirmé à temps. Aucun montant n’a été débité.',
    'authentication failed': 'La banque n’a pas pu vérifier votre identité (3-D Secure). Aucun montant n’a été débité.',
  },
  exhausted: {
    title: 'Trop de tentatives',
    text: 'Il y a eu trop de tentatives pour ce paiement. Recommencez depuis la boutique. Aucun montant n’a été débité.',
  },
  canceled: {
    title: 'Ce paiement a été annulé',
    text: 'Il ne peut plus être effectué et aucun montant n’a été débité.',
    givenBack: 'Il ne peut plus être effectué. L’argent reçu après l’annulation est en cours de restitution.',
  },
  expired: {
    title: 'Le délai de paiement est écoulé',
    text: 'Ce paiement ne peut plus être effectué. Veuillez repasser commande dans la boutique.',
  },
  cancel: {
    link: 'Annuler et revenir à la boutique',
    linkWithoutShop: 'Annuler le paiement',
    title: 'Annuler ce paiement\u00a0?',
    text: 'Il ne pourra alors plus être effectué.',
    yes: 'Annuler le paiement',
    no: 'Non, continuer le paiement',
  },
  notFound: {
    title: 'Ce paiement n’existe pas',
    text: 'Vérifiez l’adresse ou ouvrez de nouveau le lien de la boutique.',
  },
  failed: {
    title: 'Une erreur s’est produite de notre côté',
    text: 'Rouvrez le paiement dans un instant\u00a0: vous verrez s’il a été effectué.',
    again: 'Rouvrir le paiement',
  },
  refusedForm: {
    title: 'Ce formulaire n’est plus à jour',
    unreadable: 'Ce formulaire n’a pas pu être lu',
    text: 'Rien n’a été envoyé. Veuillez rouvrir le paiement.',
    again: 'Rouvrir le paiement',
  },
  refusedFrame: {
    title: 'Le formulaire de paiement ne peut pas être affiché sur cette page',
    text: (origin) =>
      `La boutique n’a pas autorisé cet affichage pour «\u00a0${origin}\u00a0». Vous pouvez payer sur la page de paiement.`,
    go: 'Ouvrir la page de paiement',
  },
  operator: (name) => `Paiement traité par ${name}`,
  terms: 'Conditions d’utilisation',
  support: 'Aide',
  phone: { title: 'Payer sur votre téléphone', text: 'Scannez ce code pour ouvrir le paiement sur votre téléphone.' },
};
