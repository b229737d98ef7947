import { dictionary } from './text.ts';

export const signInText = dictionary({
  signIn: { en: 'Sign in', pl: 'Zaloguj się' },
  about: { en: 'Your payments, refunds and settings.', pl: 'Do panelu Twoich płatności.' },
  forgotten: { en: 'Forgot your password?', pl: 'Nie pamiętasz hasła?' },
  secondStep: { en: 'Second step', pl: 'Drugi krok' },
  secondStepAbout: {
    en: 'Your account is protected by a second step.',
    pl: 'Twoje konto chroni drugi krok logowania.',
  },
  code: { en: 'Code from your authenticator app', pl: 'Kod z aplikacji uwierzytelniającej' },
  recoveryCode: { en: 'Recovery code', pl: 'Kod zapasowy' },
  useRecovery: { en: 'Use a recovery code instead', pl: 'Użyj kodu zapasowego' },
  useCode: { en: 'Use the authenticator app instead', pl: 'Użyj aplikacji uwierzytelniającej' },
  usePasskey: { en: 'Use your passkey', pl: 'Użyj klucza dostępu' },
  or: { en: 'or', pl: 'lub' },
  confirm: { en: 'Confirm', pl: 'Potwierdź' },
  startOver: { en: 'Sign in as somebody else', pl: 'Zaloguj się jako ktoś inny' },
  passkeyFailed: {
    en: 'The passkey was not used. Try again, or choose another way.',
    pl: 'Klucz dostępu nie został użyty. Spróbuj ponownie lub wybierz inny sposób.',
  },
  sendLink: { en: 'Send the link', pl: 'Wyślij link' },
  forgotTitle: { en: 'Forgotten password', pl: 'Zapomniane hasło' },
  forgotAbout: {
    en: 'We will send you a link to set a new one.',
    pl: 'Wyślemy Ci link do ustawienia nowego.',
  },
  linkSent: {
    en: 'If there is a user with this address, a mail is on its way. The link works for an hour.',
    pl: 'Jeśli istnieje użytkownik z tym adresem, wiadomość jest już w drodze. Link działa przez godzinę.',
  },
  backToSignIn: { en: 'Back to sign-in', pl: 'Wróć do logowania' },
  setTitle: { en: 'Set a password', pl: 'Ustaw hasło' },
  welcome: { en: 'Welcome, {name}', pl: 'Witaj, {name}' },
  forAddress: { en: 'For {email}.', pl: 'Dla {email}.' },
  newPassword: { en: 'New password', pl: 'Nowe hasło' },
  repeatPassword: { en: 'The same again', pl: 'Powtórz hasło' },
  passwordRule: { en: 'At least 12 characters.', pl: 'Co najmniej 12 znaków.' },
  notTheSame: { en: 'The two passwords are not the same.', pl: 'Hasła nie są takie same.' },
  passwordSet: {
    en: 'Your password is set. Sign in with it now.',
    pl: 'Hasło zostało ustawione. Możesz się nim teraz zalogować.',
  },
  linkGone: { en: 'This link no longer works', pl: 'Ten link już nie działa' },
  linkGoneAbout: {
    en: 'It has expired or was used. Ask for a new one.',
    pl: 'Wygasł lub został już użyty. Poproś o nowy.',
  },
  askAgain: { en: 'Ask for a new link', pl: 'Poproś o nowy link' },
});
