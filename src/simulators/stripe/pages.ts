// The pages of the fake: where payers approve or refuse, who waits, and the card fields with their script.

import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readForm } from '../../http/index.ts';
import { elementHtml, homeHtml, messageHtml, type Question, questionHtml, style } from './html.ts';
import { theIntent } from './intents.ts';
import { scopeNamed } from './model.ts';
import { decide, decidePage } from './payers.ts';
import type { Provider } from './provider.ts';
import { decideSetup, theSetup } from './setups.ts';

const file = (name: string) => readFileSync(new URL(`../../../web/fake-stripe/${name}`, import.meta.url), 'utf8');
const files: readonly (readonly [path: string, type: string, content: string])[] = [
  ['/_fake/style.css', 'text/css', style],
  ['/_fake/element.js', 'text/javascript', file('element.js')],
  ['/stripe.js', 'text/javascript', file('stripe.js')],
];

/** Pages other than the card fields are never inside a frame. */
function sendHtml(reply: FastifyReply, status: number, html: string, targets = ''): FastifyReply {
  const policy = `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; form-action 'self' ${targets}; base-uri 'none'`;
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'same-origin')
    .send(html);
}

interface Asked {
  readonly question: Question;
  readonly returnUrl: string | null;
  /** Says what the payer chose; the name and the values of the address that they return to. */
  choose(approves: boolean): { name: string; id: string; secret: string | null; succeeded: boolean };
}

function findAsked(provider: Provider, link: string): Asked | undefined {
  const found = provider.store.findLink(link);
  if (!found) return undefined;
  const context = provider.contextOf(scopeNamed(found.scope));
  if (found.kind === 'setup_intent') {
    const setup = theSetup(context, found.id);
    const question = { title: 'Save this card', amount: null, currency: '', description: null, id: found.id };
    const choose = (approves: boolean) => {
      const {
        id,
        client_secret: secret,
        status,
      } = decideSetup(context, setup, approves ? 'approve' : 'customer_declined');
      return { name: 'setup_intent', id, secret, succeeded: status === 'succeeded' };
    };
    return { question, returnUrl: setup.hidden.returnUrl, choose };
  }
  const intent = theIntent(context, found.id);
  const { amount, currency, description, id } = intent.object;
  const isCard = context.store.find('payment_method', found.scope, intent.hidden.method ?? '')?.object.type === 'card';
  const title = isCard ? '3-D Secure: is it you who pays?' : 'Przelewy24: pay at your test bank';
  const choose = (approves: boolean) => {
    const { client_secret: secret, status } = decidePage(context, intent, approves);
    return { name: 'payment_intent', id, secret, succeeded: status === 'succeeded' };
  };
  return { question: { title, amount, currency, description, id }, returnUrl: intent.hidden.returnUrl, choose };
}

export function registerPages(app: FastifyInstance, provider: Provider): void {
  for (const [path, type, content] of files)
    app.get(path, async (_request, reply) => reply.header('content-type', `${type}; charset=utf-8`).send(content));
  app.get('/_fake/element', async (_request, reply) => sendHtml(reply, 200, elementHtml()));
  app.get('/_fake/redirect/:link', async (request, reply) => {
    provider.runDue();
    const asked = findAsked(provider, linkOf(request));
    return asked ? sendHtml(reply, 200, questionHtml(asked.question), targetsOf(asked.returnUrl)) : sendOver(reply);
  });
  app.post('/_fake/redirect/:link', async (request, reply) => choose(provider, request, reply));
  app.get('/', async (_request, reply) => reply.redirect('/_fake/', 302));
  app.get('/_fake/', async (_request, reply) => sendHome(provider, reply));
  app.post('/_fake/payers/:link', async (request, reply) => {
    const id = linkOf(request);
    const scope = provider.store.findScope(id);
    const approves = readForm(request.body).get('choice') === 'approve';
    if (scope) {
      const context = provider.contextOf(scopeNamed(scope));
      const outcome = approves ? 'approve' : 'customer_declined';
      provider.store.atomic(() => decide(context, theIntent(context, id), outcome));
      await provider.deliver();
    }
    return reply.redirect('/_fake/', 303);
  });
}

function linkOf({ params }: FastifyRequest): string {
  return (params as { link: string }).link;
}

function sendOver(reply: FastifyReply): FastifyReply {
  return sendHtml(reply, 404, messageHtml('This question is over', 'It was answered, or it was withdrawn.'));
}

/** Browsers check the address behind a form against its policy. */
function targetsOf(returnUrl: string | null): string {
  return returnUrl?.startsWith('http:') ? 'https: http:' : 'https:';
}

async function choose(provider: Provider, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  provider.runDue();
  const asked = findAsked(provider, linkOf(request));
  const choice = readForm(request.body).get('choice');
  if (!asked || (choice !== 'approve' && choice !== 'refuse')) return sendOver(reply);
  const { name, id, secret, succeeded } = provider.store.atomic(() => asked.choose(choice === 'approve'));
  const target = asked.returnUrl === null || !URL.canParse(asked.returnUrl) ? undefined : new URL(asked.returnUrl);
  if (!target || !/^https?:$/.test(target.protocol))
    return sendHtml(reply, 200, messageHtml('Thank you', 'Close this page.'));
  target.searchParams.set(name, id);
  target.searchParams.set(`${name}_client_secret`, secret ?? '');
  target.searchParams.set('redirect_status', succeeded ? 'succeeded' : 'failed');
  return reply.redirect(target.href, 303);
}

function sendHome(provider: Provider, reply: FastifyReply): FastifyReply {
  provider.runDue();
  const settings = Object.entries(serviceSettings(provider));
  const waiting = provider.store.listWaiting().map(({ object }) => object);
  const now = Temporal.Instant.fromEpochMilliseconds(provider.now()).toString({ smallestUnit: 'second' });
  return sendHtml(reply, 200, homeHtml({ settings, waiting, now }));
}

/** What the service is told, to use the fake. */
export function serviceSettings({ main, pagesUrl }: Provider): Readonly<Record<string, string>> {
  const base = pagesUrl.replace(/\/_fake$/, '');
  return {
    ACQUIRERS: 'stripe',
    STRIPE_API_URL: base,
    STRIPE_SCRIPT_URL: `${base}/stripe.js`,
    STRIPE_SECRET_KEY: main.restrictedTest,
    STRIPE_PUBLISHABLE_KEY: main.publishableTest,
    STRIPE_WEBHOOK_SECRET: main.webhookSecret,
  };
}
