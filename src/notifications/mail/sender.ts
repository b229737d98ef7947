// Who a mail to a payer is from: the shop, by way of the operator, whose address is the one that may send. Pure.

import type { MailSender } from './content.ts';

/** A name and an address as the mail library takes them: it encodes both. */
interface Mailbox {
  readonly name: string;
  readonly address: string;
}

export interface Operator extends Mailbox {
  /** What follows "via": its own name, else that of its address. */
  readonly shown: string;
  readonly domain: string;
}

/** Reads `Grosz <no-reply@example.com>` or `no-reply@example.com`. */
export function readSender(from: string, operatorName: string | undefined): Operator {
  const [, quoted = '', bracketed] = /^(.*)<([^<>]+)>\s*$/.exec(from) ?? [];
  const name = nameText(quoted);
  const address = (bracketed ?? from).trim();
  const domain = address.slice(address.lastIndexOf('@') + 1) || 'localhost';
  return { name, address, domain, shown: nameText(operatorName ?? '') || name || domain };
}

/** `Tea House via Grosz`: mail programs show the name, and nobody can pass for the operator with one. */
export function senderOf({ name, address, shown }: Operator, sender: MailSender | undefined): Mailbox {
  const shop = nameText(sender?.name ?? '');
  return { name: shop === '' ? name : `${shop} via ${shown}`, address };
}

const addressShape = /^[^\s<>@",;:()[\]\\\p{Cc}]{1,64}@[^\s<>@",;:()[\]\\\p{Cc}]{1,253}$/u;

/** Replies go to the shop, if it has an address. */
export function replyAddress(sender: MailSender | undefined): { replyTo?: Mailbox } {
  const address = sender?.email ?? '';
  return addressShape.test(address) ? { replyTo: { name: nameText(sender?.name ?? ''), address } } : {};
}

const nameCharactersAtMost = 100;

/**
 * A name for a header: one line, without marks of direction, and without what makes an address, so that a shop named
 * `Bank <help@bank.example>` does not look like one.
 */
function nameText(name: string): string {
  const line = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>"@\\\s]+/gu, ' ').trim();
  return [...line].slice(0, nameCharactersAtMost).join('').trim();
}
