// The bank's pages, where the payer confirms or refuses: 3-D Secure, bank transfer, online wallet. A page is protected
// by its link, 256 random bits that only the payer receives; forms from other sites are refused.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OnCallback } from '../../acquirer/index.ts';
import { isOwnForm, pageStatusOf, readForm, refuseOtherBodies } from '../../http/index.ts';
import { type Log, within } from '../../runtime/index.ts';
import type { Choice } from './bank.ts';
import { type Frame, failedHtml, questionHtml, resultHtml, unknownHtml, unreadableHtml } from './html.ts';
import { languageOf } from './language.ts';
import type { BankPage, Simulator } from './simulator.ts';
import { style, styleVersion } from './style.ts';

export interface BankPagesOptions {
  /** `/bank`: the path of the simulator's `pagesUrl`. */
  readonly basePath: string;
  readonly onCallback: OnCallback;
  readonly log: Log;
}

const script = readFileSync(new URL('../../../web/bank/confirm.js', import.meta.url));
const scriptVersion = hash('sha256', script, 'hex').slice(0, 16);

const bodyBytesAtMost = 4_096;
/** How long the payer waits for the service to accept the callback; after that the callback stays due. */
const deliveryMilliseconds = 5_000;

/** Adds the pages below the base path, with their own body parser and error handler. */
export async function registerBankPages(
  app: FastifyInstance,
  simulator: Simulator,
  options: BankPagesOptions,
): Promise<void> {
  const { basePath, log } = options;
  const view: View = (request, page) => ({
    language: languageOf(page?.language ?? null, request.headers['accept-language']),
    styleUrl: `${basePath}/style.css?v=${styleVersion}`,
    scriptUrl: `${basePath}/confirm.js?v=${scriptVersion}`,
  });
  const { checkForm, show, choose } = bankActions(simulator, options, view);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
    scope.setErrorHandler((error, request, reply) => {
      const status = pageStatusOf(error);
      if (status === 429) reply.header('retry-after', '1');
      if (status === 500) log.error({ err: error, requestId: request.id }, 'a page of the bank failed');
      return sendHtml(reply, status, status === 500 ? failedHtml(view(request)) : unreadableHtml(view(request)));
    });
    registerFiles(scope, basePath);
    scope.get(`${basePath}/confirm/:linkId`, show);
    scope.post(`${basePath}/confirm/:linkId`, { bodyLimit: bodyBytesAtMost, onRequest: checkForm }, choose);
  });
}

function registerFiles(scope: FastifyInstance, basePath: string): void {
  for (const [file, type, content] of [
    ['style.css', 'text/css', style],
    ['confirm.js', 'text/javascript', script],
  ] as const)
    scope.get(`${basePath}/${file}`, async (_request, reply) =>
      reply
        .header('content-type', `${type}; charset=utf-8`)
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(content),
    );
}

/** What a page needs to know about its request. */
type View = (request: FastifyRequest, page?: BankPage) => Frame;

function bankActions(simulator: Simulator, { log, onCallback }: BankPagesOptions, view: View) {
  /** Before the body is read. */
  async function checkForm(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    if (!isOwnForm(request, simulator.pagesUrl)) return sendHtml(reply, 403, unreadableHtml(view(request)));
    refuseOtherBodies(request);
    return undefined;
  }

  async function deliver(key: string): Promise<void> {
    const delivery = simulator.deliverDueOf(key, onCallback);
    await within(deliveryMilliseconds, 'The callback takes long.', delivery).catch((error: unknown) =>
      log.warn({ err: error, key }, 'the payer was redirected before the callback was accepted'),
    );
  }

  async function show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const page = await simulator.findPage(linkOf(request));
    if (!page) return sendHtml(reply, 404, unknownHtml(view(request)));
    const url = returnUrlOf(page);
    if (isForScript(request)) return sendState(reply, page);
    if (page.state !== 'waiting') return sendHtml(reply, 200, resultHtml(view(request, page), page, url?.href));
    return sendHtml(reply, 200, questionHtml(view(request, page), page), formTargets(url));
  }

  async function choose(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const choice = choiceFrom(request.body);
    if (choice === undefined) {
      const known = await simulator.findPage(linkOf(request));
      return known
        ? sendHtml(reply, 400, unreadableHtml(view(request)))
        : sendHtml(reply, 404, unknownHtml(view(request)));
    }
    const chosen = await simulator.choose(linkOf(request), choice);
    if (!chosen) return sendHtml(reply, 404, unknownHtml(view(request)));
    await deliver(chosen.key);
    if (isForScript(request)) return sendState(reply, chosen.page);
    const url = returnUrlOf(chosen.page);
    // A choice after a cancel changes nothing; tell the payer.
    if (chosen.page.state === 'canceled')
      return sendHtml(reply, 409, resultHtml(view(request, chosen.page), chosen.page, url?.href));
    if (!url) return sendHtml(reply, 200, resultHtml(view(request, chosen.page), chosen.page, undefined));
    return setHeaders(reply).redirect(url.href, 303);
  }

  return { checkForm, show, choose };
}

function linkOf(request: FastifyRequest): string {
  return (request.params as { linkId: string }).linkId;
}

/** The page's script asks for what became of the question, and where the payer goes on. */
function isForScript({ headers }: FastifyRequest): boolean {
  return headers.accept === 'application/json';
}

function sendState(reply: FastifyReply, page: BankPage): FastifyReply {
  const body = { state: page.state, returnUrl: returnUrlOf(page)?.href ?? null };
  return setHeaders(reply).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body));
}

function choiceFrom(body: unknown): Choice | undefined {
  const choice = readForm(body).get('choice');
  return choice === 'confirm' || choice === 'refuse' ? choice : undefined;
}

/** http and https only: links with other schemes, such as `javascript:`, are never followed. */
function returnUrlOf(page: BankPage): URL | undefined {
  const url = URL.canParse(page.returnUrl) ? new URL(page.returnUrl) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/**
 * Browsers check every redirect that follows a form against form-action, and the service may redirect the payer to any
 * shop; so the policy lists schemes, with plain http only if the return URL uses it.
 */
function formTargets(returnUrl: URL | undefined): string {
  return returnUrl?.protocol === 'http:' ? 'https: http:' : 'https:';
}

function setHeaders(reply: FastifyReply, targets = ''): FastifyReply {
  return reply
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; form-action 'self' ${targets}; base-uri 'none'; frame-ancestors 'none'`,
    )
    .header('referrer-policy', 'same-origin')
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store');
}

function sendHtml(reply: FastifyReply, status: number, html: string, targets?: string): FastifyReply {
  return setHeaders(reply, targets).code(status).header('content-type', 'text/html; charset=utf-8').send(html);
}
