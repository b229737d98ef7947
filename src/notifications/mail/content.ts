// What a mail says, sealed while it waits: links of invitations and new passwords let one in.

import { Secret } from '../../kernel/index.ts';
import type { Vault } from '../../platform/index.ts';

export interface MailContent {
  readonly text: string;
  readonly html: string;
}

const purposeOf = (id: string) => `mail ${id}`;

export function sealContent(vault: Vault, id: string, { text, html }: MailContent): string {
  return vault.seal(new Secret(JSON.stringify({ text, html })), purposeOf(id));
}

export function openContent(vault: Vault, id: string, content: string): MailContent {
  return JSON.parse(vault.open(content, purposeOf(id)).reveal());
}
