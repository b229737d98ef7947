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
/**
 * Links of a person that work at the same time. More than anybody can ask for within the lifetime of a new password's, so
 * that a stranger who asks for others does not end the one that the person is about to open.
 */
export const linksPerUser = 50;

/** Wrong guesses within the window: per user or known device, and per address whomever they are for. */
export const guessWindow = Temporal.Duration.from({ minutes: 15 });
export const guessesPerUser = 10;
export const guessesPerAddress = 50;
/**
 * Of the codes of an authenticator app within a day. Each guess is right with a chance of three in a million: whoever knows
 * the password, and nothing else, needs thirty years for a chance of two in three.
 */
export const dayOfGuesses = Temporal.Duration.from({ hours: 24 });
export const codesPerDay = 30;

/** A device is known for this time after the last sign-in, give or take the second one. */
export const deviceLifetimeDays = 180;
export const deviceRenewedAfterDays = 30;

/** Complete sign-ins of a person within the window: each makes a session and entries in the audit log. */
export const signInsPerUser = 30;
/**
 * Right passwords of a person with a second factor within the window, from one address or known device: whoever knows only
 * the password takes nothing from the person, who is elsewhere.
 */
export const halfSignInsPerPlace = 30;
/** The newest complete sessions of a person that are kept. Those that wait for the second factor end within minutes. */
export const sessionsPerUser = 50;

/** Words that anybody tries here first, besides the person's own; most lists of passwords are English. */
const wordsOfPlace = ['grosz', 'haslo', 'hasło', 'polska', 'panel', 'platnosci', 'płatności', 'payment', 'admin'];
const shortestWord = 3;

/** Words that somebody who knows the person or the service would try, the longest first. */
export function knownWords({ email, name }: { readonly email: string; readonly name: string }): string[] {
  const [local = '', host = ''] = email.toLowerCase().split('@', 2);
  const parts = [local, host, ...host.split('.').slice(0, -1), ...local.split(/[^\p{L}]+/u)];
  const names = name.toLowerCase().split(/[^\p{L}]+/u);
  const own = [...parts, ...names].filter((word) => word.length >= shortestWord);
  const all = [email.toLowerCase(), ...own, ...own.map(withoutMarks), ...wordsOfPlace];
  return [...new Set(all)].toSorted((one, other) => other.length - one.length);
}

/** ł has no decomposition. */
function withoutMarks(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ł', 'l');
}

const letters: Readonly<Record<string, string>> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  '!': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
};

/** What is left of a password without these words, also where digits stand for letters. */
export function withoutWords(password: string, words: readonly string[]): string {
  let rest = password.toLowerCase();
  for (const word of words) {
    let plain = rest.replaceAll(/[@431!0$57]/g, (sign) => letters[sign] ?? sign);
    for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word)) {
      rest = rest.slice(0, at) + rest.slice(at + word.length);
      plain = plain.slice(0, at) + plain.slice(at + word.length);
    }
  }
  return rest;
}
