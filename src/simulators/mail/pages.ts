// /mail: shows caught mail.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import PostalMime, { type Address } from 'postal-mime';
import { isLocal, refuseOtherMethods } from '../../http/index.ts';
import { isUlid, localText } from '../../kernel/index.ts';
import type { Vault } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { listHtml, mailHtml, missingHtml, type ShownMail, strangerHtml, style } from './html.ts';
import { openSource } from './source.ts';
import { type CaughtMail, findCaught, listCaught } from './store.ts';

const listedAtMost = 100;
const zone = 'Europe/Warsaw';

/** Our own style sheet, our own frame, and nothing else. */
const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** A mail may have styles and nothing more: no scripts, URLs or forms. */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/** Adds the catcher's pages. Only in the sandbox, and only for this machine: links in mails let one into the panel. */
export function registerMailPages(
  app: FastifyInstance,
  { db, config, vault }: Pick<Tools, 'db' | 'config' | 'vault'>,
): void {
  const { sql } = db;
  const onlyHere = {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
      isLocal(config.baseUrl, request.headers) ? undefined : send(reply, 403, strangerHtml()),
  };
  const find = async (params: unknown) => {
    const { id } = params as { id: string };
    const caught = isUlid(id) ? await findCaught(sql, id) : undefined;
    return caught && shownOf(vault, caught);
  };
  app.get('/mail', onlyHere, async (_request, reply) => {
    const mails = await Promise.all((await listCaught(sql, listedAtMost)).map((caught) => shownOf(vault, caught)));
    return send(reply, 200, listHtml(mails));
  });
  app.get('/mail/style.css', async (_request, reply) =>
    reply
      .header('content-type', 'text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(style),
  );
  app.get('/mail/:id', onlyHere, async (request, reply) => {
    const mail = await find(request.params);
    return mail ? send(reply, 200, mailHtml(mail)) : send(reply, 404, missingHtml());
  });
  app.get('/mail/:id/html', onlyHere, async (request, reply) => {
    const mail = await find(request.params);
    return mail?.html === undefined ? send(reply, 404, missingHtml()) : send(reply, 200, mail.html, mailPolicy);
  });
  for (const path of ['/mail', '/mail/style.css', '/mail/{id}', '/mail/{id}/html']) {
    refuseOtherMethods(app, path, ['GET']);
  }
}

async function shownOf(vault: Vault, { id, receivedAt, sourceSealed }: CaughtMail): Promise<ShownMail> {
  const mail = await PostalMime.parse(openSource(vault, id, sourceSealed));
  return {
    id,
    from: addressText(mail.from ? [mail.from] : []),
    replyTo: addressText(mail.replyTo ?? []),
    to: addressText(mail.to ?? []),
    subject: mail.subject ?? '',
    language: mail.headers.find(({ key }) => key === 'content-language')?.value ?? '',
    at: { iso: receivedAt.toString(), text: localText(receivedAt, zone) },
    text: mail.text ?? '',
    html: mail.html,
  };
}

function addressText(addresses: readonly Address[]): string {
  return addresses
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : (address ?? name)))
    .join(', ');
}

function send(reply: FastifyReply, status: number, html: string, policy = pagePolicy): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .send(html);
}
