// Passwords: argon2id, a few at a time, so that guessing does not take the threads that sign and encrypt.

import { hash, verify } from '@node-rs/argon2';
import { refuse, type Secret, Unavailable } from '../../kernel/index.ts';
import { poolThreads, type Random, randomText } from '../../runtime/index.ts';
import { weakPassword } from '../failures.ts';
import { isWeakPassword, type Owner } from './strength.ts';

/** 19 MiB, two passes, one lane: the first recommendation of OWASP. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const atOnce = Math.floor(poolThreads / 2);
const waitingAtMost = 50;

export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #random: Random;
  /** Of a random text: an unknown address takes as long as a wrong password. */
  #nobody: Promise<string> | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Refuses a password that is easy to guess. */
  async hash(password: Secret, owner: Owner): Promise<string> {
    if (await isWeakPassword(password.reveal(), owner)) refuse(weakPassword, 'password');
    return this.#inTurn(() => hash(password.reveal(), options));
  }

  /** Takes the same time if there is no hash. */
  async isRight(password: Secret, passwordHash: string | null | undefined): Promise<boolean> {
    this.#nobody ??= hash(randomText(this.#random, 16), options);
    const known = passwordHash ?? (await this.#nobody);
    const right = await this.#inTurn(() => verify(known, password.reveal()));
    return right && typeof passwordHash === 'string';
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.#running >= atOnce) {
      if (this.#waiting.length >= waitingAtMost) throw new Unavailable('too_many_requests', undefined, 5);
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
    this.#running += 1;
    try {
      return await run();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}
