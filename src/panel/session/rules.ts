// Lifetimes, and which passwords are refused. Pure.

/** A session ends after this time without a request, and in any case after the second one. */
export const idleTime = Temporal.Duration.from({ hours: 2 });
export const sessionLifetime = Temporal.Duration.from({ hours: 12 });
/** For the second factor. */
export const pendingLifetime = Temporal.Duration.from({ minutes: 10 });
/** `seen_at` is written at most this often. */
export const seenEvery = Temporal.Duration.from({ minutes: 1 });
export const linkLifetimes = {
  invitation: Temporal.Duration.from({ hours: 7 * 24 }),
  reset: Temporal.Duration.from({ hours: 1 }),
} as const;

/** Wrong guesses within the window: per user wherever they come from, and per address whomever they are for. */
export const guessWindow = Temporal.Duration.from({ minutes: 15 });
export const guessesPerUser = 10;
export const guessesPerAddress = 50;

/** Beginnings and wholes of the most common long passwords. */
const common = [
  'password',
  'passw0rd',
  'qwerty',
  '123456',
  'abc123',
  'iloveyou',
  'letmein',
  'welcome',
  'admin',
  'haslo',
  'hasło',
  'polska',
  'zaq12wsx',
];

/** Whether a password is easy to guess: few different characters, a common one with a tail, or the person's own data. */
export function isWeakPassword(password: string, email: string): boolean {
  const plain = password.toLowerCase();
  if (new Set(plain).size < 5) return true;
  const [local = ''] = email.toLowerCase().split('@', 1);
  const known = [...common, email.toLowerCase(), ...(local.length >= 4 ? [local] : [])];
  const rest = known.reduce((text, word) => text.replaceAll(word, ''), plain);
  return rest.length < 6 && rest.length < plain.length;
}
