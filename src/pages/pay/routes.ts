// The routes of the pay page: `/pay/{transactionId}.{payKey}` and its parts.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AddressLimit, isOwnForm, pageStatusOf, refuseOtherBodies, routeOtherMethods } from '../../http/index.ts';
import { Refusal, Unavailable } from '../../kernel/index.ts';
import type { PageTools } from '../tools.ts';
import { PayActions } from './actions.ts';
import { registerAssets } from './assets.ts';
import { plainPage } from './layout.ts';
import { type PayAsked, Scenes } from './scenes.ts';
import { openSending, type Sending } from './security.ts';
import { failedStep, refusedFormStep } from './states.ts';

const bodyBytesAtMost = 8_192;
/** A token of 32 KiB in base64, with the characters that a form must escape. */
const walletBytesAtMost = 49_152;
/** Forms that an address may send per second; a payer sends a few in total. */
const formsPerSecond = 20;

/** Adds the pages with their own error handler: in the payer's language, never JSON. */
export async function registerPayPage(app: FastifyInstance, tools: PageTools): Promise<void> {
  const sending = openSending(originsOf(tools.wallet.scripts));
  const scenes = new Scenes(tools, sending);
  await app.register(async (scope) => {
    scope.setErrorHandler(errorPages(tools, scenes, sending));
    registerPages(scope, scenes, new PayActions(tools, scenes, sending), formCheck(tools, scenes, sending));
    registerAssets(scope, tools);
  });
}

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

function registerPages(scope: FastifyInstance, scenes: Scenes, actions: PayActions, onRequest: Check): void {
  const page = { config: { endpoint: 'pay page' } };
  const form = { config: { endpoint: 'pay form' }, onRequest, bodyLimit: bodyBytesAtMost };
  const on = (name: keyof PayActions) => scenes.on((scene, request, reply) => actions[name](scene, request, reply));
  const inFrame = (name: 'show' | 'pay') =>
    scenes.onFrame((scene, request, reply) => actions[name](scene, request, reply));
  scope.get<PayAsked>('/pay/:address', page, on('show'));
  scope.post<PayAsked>('/pay/:address', form, on('pay'));
  scope.get<PayAsked>('/pay/:address/embed', page, inFrame('show'));
  scope.post<PayAsked>('/pay/:address/embed', form, inFrame('pay'));
  scope.post<PayAsked>('/pay/:address/wallet', { ...form, bodyLimit: walletBytesAtMost }, on('payWithWallet'));
  scope.post<PayAsked>('/pay/:address/wallet/session', form, on('startWallet'));
  scope.get<PayAsked>('/pay/:address/status', { config: { endpoint: 'pay status' } }, on('sendMark'));
  scope.get<PayAsked>('/pay/:address/bank', page, on('goToBank'));
  scope.get<PayAsked>('/pay/:address/cancel', page, on('askCancel'));
  scope.post<PayAsked>('/pay/:address/cancel', form, on('cancel'));
  scope.get<PayAsked>('/pay/:address/leave', page, on('goToShop'));
  scope.get<PayAsked>('/pay/:address/qr.svg', page, on('sendQr'));
  for (const path of ['/pay/:address', '/pay/:address/embed', '/pay/:address/cancel'])
    routeOtherMethods(scope, path, ['GET', 'POST']);
  for (const path of ['wallet', 'wallet/session']) routeOtherMethods(scope, `/pay/:address/${path}`, ['POST']);
  for (const path of ['status', 'bank', 'leave', 'qr.svg']) routeOtherMethods(scope, `/pay/:address/${path}`, ['GET']);
}

/** Before the body is read: refuses forms of other sites, too many forms, and bodies that are no forms. */
function formCheck({ wall, config }: PageTools, scenes: Scenes, { sendPage }: Sending): Check {
  const limit = new AddressLimit(wall, config.proxies, formsPerSecond);
  return async (request, reply) => {
    limit.consume(request);
    if (!isOwnForm(request, config.baseUrl)) {
      const scene = scenes.of(request);
      return sendPage(reply, 403, plainPage(scene, refusedFormStep(scene, pagePath(request))));
    }
    refuseOtherBodies(request);
    return undefined;
  };
}

function errorPages({ log }: PageTools, scenes: Scenes, { sendPage }: Sending) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const status = pageStatusOf(error);
    const about = { requestId: request.id, status, err: error };
    if (status === 500) log.error(about, 'a pay page failed');
    else if (status === 503) log.warn(about, 'unavailable');
    if (status === 429) reply.header('retry-after', '1');
    const scene = scenes.of(request);
    const step = isUnreadable(error)
      ? refusedFormStep(scene, pagePath(request), 'unreadable')
      : failedStep(scene, pagePath(request));
    return sendPage(reply, status, plainPage(scene, step));
  };
}

/** The page itself, for links on error pages. The URL was not validated: it is only echoed. */
function pagePath(request: FastifyRequest): string {
  const { address } = (request.params ?? {}) as { address?: string };
  return address === undefined ? '/' : `/pay/${encodeURIComponent(address)}`;
}

/** Origins of scripts that are not ours. */
function originsOf(scripts: readonly string[]): string[] {
  return scripts.filter((url) => !url.startsWith('/')).map((url) => new URL(url).origin);
}

const unreadable = new Set<string>(['duplicate_field', 'invalid_request_body', 'unsupported_media_type']);

/** Of the form itself, before anything was done with it: too long, a field twice, no form. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof Refusal) return unreadable.has(error.code);
  return !(error instanceof Unavailable) && [400, 413, 415].includes(pageStatusOf(error));
}
