// What a mail says and who sends it, sealed while it waits: links of invitations and new passwords let one in.

import { Secret } from '../../kernel/index.ts';
import type { Vault } from '../../runtime/index.ts';

/** Names and addresses as accounts have them: what may stand in a header, the transport decides. */
export interface MailSender {
  readonly name: string;
  /** Where replies go; empty: to the operator. */
  readonly email: string;
}

export interface MailContent {
  readonly text: string;
  readonly html: string;
  /** The shop in whose name it is sent; missing: the operator itself. */
  readonly sender?: MailSender;
}

const purposeOf = (id: string) => `mail ${id}`;

export function sealContent(vault: Vault, id: string, { text, html, sender }: MailContent): string {
  return vault.seal(new Secret(JSON.stringify({ text, html, sender })), purposeOf(id));
}

export function openContent(vault: Vault, id: string, content: string): MailContent {
  return JSON.parse(vault.open(content, purposeOf(id)).reveal());
}
