// Devices on which a person has signed in before. A cookie of the browser says so, signed by the vault; it lets nobody in.
// A known device has wrong guesses of its own, so that those of strangers do not keep the person out
// (docs/decisions/0029).

import { timingSafeEqual } from 'node:crypto';
import type { Client } from '../../http/index.ts';
import { randomText } from '../../runtime/index.ts';
import { readCookieOf, serializeCookieOf } from '../guard.ts';
import type { IdentityTools } from '../tools.ts';
import { deviceLifetimeDays, deviceRenewedAfterDays } from './rules.ts';

const name = 'device';
const purpose = 'panel device';
/** People who share a browser. */
const peopleAtMost = 5;
const nonceBytes = 16;
const secondsOfDay = 86_400;

/** One person's mark in the cookie: `nonce.day.mac`. */
interface Mark {
  readonly text: string;
  readonly nonce: string;
  readonly day: number;
}

const today = ({ wall }: IdentityTools) => Math.floor(wall.now().epochMilliseconds / 1_000 / secondsOfDay);

/** Without the id of the key, which need not be fit for a cookie. */
const bare = (mac: string) => mac.slice(mac.indexOf('.') + 1);

const signed = (email: string, nonce: string, day: number) => `${nonce} ${day} ${email}`;

function marksOf({ config }: IdentityTools, { cookie }: Client): Mark[] {
  const marks = (readCookieOf(config.baseUrl, name, cookie) ?? '').split('~', peopleAtMost);
  return marks.flatMap((text) => {
    const [, nonce, day] = /^([\w-]{22})\.(\d{1,6})\.[\w-]{43}$/.exec(text) ?? [];
    return nonce === undefined ? [] : [{ text, nonce, day: Number(day) }];
  });
}

function markOf(tools: IdentityTools, client: Client, email: string): Mark | undefined {
  const oldest = today(tools) - deviceLifetimeDays;
  return marksOf(tools, client).find(({ text, nonce, day }) => {
    const given = Buffer.from(text.slice(text.lastIndexOf('.') + 1));
    const macs = tools.vault.macs(signed(email, nonce, day), purpose).map((mac) => Buffer.from(bare(mac)));
    return day >= oldest && macs.some((mac) => mac.length === given.length && timingSafeEqual(mac, given));
  });
}

/** The device, if the person with this address has signed in on it. Asks nobody, so that its time tells nothing. */
export function deviceOf(tools: IdentityTools, client: Client, email: string): string | undefined {
  return markOf(tools, client, email.toLowerCase())?.nonce;
}

/** The cookie by which the device is known from now on; none if it is, and has been for a short time only. */
export function knownDeviceCookie(tools: IdentityTools, client: Client, email: string): string[] {
  const [mark, day] = [markOf(tools, client, email), today(tools)];
  if (mark && mark.day > day - deviceRenewedAfterDays) return [];
  const nonce = mark?.nonce ?? randomText(tools.random, nonceBytes);
  const own = `${nonce}.${day}.${bare(tools.vault.mac(signed(email, nonce, day), purpose))}`;
  const others = marksOf(tools, client).filter(({ nonce: other }) => other !== nonce);
  const value = [own, ...others.map(({ text }) => text)].slice(0, peopleAtMost).join('~');
  return [serializeCookieOf(tools.config.baseUrl, name, value, deviceLifetimeDays * secondsOfDay)];
}
