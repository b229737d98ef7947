// The pay page: `/pay/{transactionId}.{payKey}` and its parts. Every form is answered with a redirect, so that reload
// and back show the current state and resubmit nothing.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../../../contract/languages.ts';
import { idFrom, Refusal, type TransactionId, Unavailable } from '../../kernel/index.ts';
import { listCart } from '../../marketplace/index.ts';
import { methodOf } from '../../methods/index.ts';
import {
  AddressLimit,
  isOwnForm,
  pageStatusOf,
  readForm as readFields,
  routeOtherMethods,
} from '../../platform/index.ts';
import { type PayerView, writeResult } from '../../transactions/index.ts';
import { chooseLanguage, knownLanguage } from '../language.ts';
import type { PageTools } from '../tools.ts';
import { registerAssets } from './assets.ts';
import { cartHtml, productsShown } from './cart.ts';
import { readForm } from './form.ts';
import type { FieldFault } from './forms.ts';
import { type Frame, type FrameQuery, readFrame, toldOf, viewIn } from './frame.ts';
import { inTime } from './in-time.ts';
import {
  framePage,
  operatorNote,
  type PayScene,
  pageUrl,
  payPage,
  payScene,
  plainPage,
  type Scene,
  type Step,
  sceneIn,
  walletScene,
} from './layout.ts';
import { qrSvg } from './qr.ts';
import { markOf, methodsOf, readChosen, type State, stateOf } from './rules.ts';
import { openSending } from './security.ts';
import {
  cancelStep,
  failedStep,
  goingStep,
  leavingStep,
  notFoundStep,
  refusedFormStep,
  refusedFrameStep,
} from './states.ts';
import { stepOf } from './steps.ts';

const bodyBytesAtMost = 8_192;
/** A token of 32 KiB in base64, with the characters that a form must escape. */
const walletBytesAtMost = 49_152;
/** Forms that an address may send per second; a payer sends a few in total. */
const formsPerSecond = 20;

interface Asked {
  readonly Params: { readonly address: string };
  readonly Querystring: FrameQuery & {
    readonly method?: unknown;
    readonly already?: unknown;
    /** The form in a frame was sent, and the bank wants to ask the payer. */
    readonly go?: unknown;
  };
}

type Request = FastifyRequest<Asked>;

const addressShape = /^([0-9A-Z]{26})\.([A-Za-z0-9_-]{1,64})$/;

/** Adds the pages with their own error handler: in the payer's language, never JSON. */
export async function registerPayPage(app: FastifyInstance, tools: PageTools): Promise<void> {
  const house = { sandbox: tools.config.mode === 'sandbox', operator: operatorNote(tools.config.operator) };
  const cardKey = tools.cards.publicPem.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  const cardOptions = { cardKey, cardBrands: tools.config.cardBrands };
  const { payAsPayer } = tools.transactions;
  const { scripts, isOnWeb } = tools.wallet;
  const { sendPage, sendAway, sendJson } = openSending(originsOf(scripts));
  const wallet = walletScene(tools.config.wallet.sessionObject, scripts);
  const formLimit = new AddressLimit(tools.wall, tools.config.proxies, formsPerSecond);

  const sceneOf = (request: FastifyRequest, lang = '', usual: string | null = null): Scene => {
    const { method } = (request.query ?? {}) as Asked['Querystring'];
    const language = chooseLanguage(chosenLanguage(request) ?? lang, request.headers['accept-language'], usual);
    return sceneIn(house, language, readChosen(method));
  };

  type Work = (scene: PayScene, request: Request, reply: FastifyReply) => Promise<FastifyReply> | FastifyReply;
  type Found = (view: PayerView, request: Request, reply: FastifyReply) => Promise<FastifyReply> | FastifyReply;

  /** Finds the transaction in the URL; an unknown id and a wrong key give the same page. */
  function whenFound(work: Found) {
    return inTime(tools.log, async (request: Request, reply: FastifyReply): Promise<FastifyReply> => {
      const view = await findView(request.params.address);
      if (view) return work(view, request, reply);
      const scene = sceneOf(request);
      return sendPage(reply, 404, plainPage(scene, notFoundStep(scene)));
    });
  }

  function sceneFor(view: PayerView, request: Request, frame?: Frame): PayScene {
    const asked = sceneOf(request, view.transaction.lang, view.merchant.page.language);
    return payScene(asked, view, `/pay/${request.params.address}`, wallet, frame);
  }

  function on(work: Work) {
    return whenFound((view, request, reply) => {
      const scene = sceneFor(view, request);
      keepLanguage(scene, request, reply);
      return work(scene, request, reply);
    });
  }

  /** The same in a frame of a page that the merchant registered. */
  function onFrame(work: Work) {
    return whenFound((view, request, reply) => {
      const { query } = request;
      const frame = readFrame(query, view);
      if (frame) return work(sceneFor(viewIn(query, view), request, frame), request, reply);
      const scene = sceneFor(view, request);
      const origin = typeof query.origin === 'string' ? query.origin.slice(0, 300) : '';
      return sendPage(reply, 403, plainPage(scene, refusedFrameStep(scene, scene.path, origin)));
    });
  }

  /** For this payment only; a choice that stayed for longer would follow the payer from shop to shop. */
  function keepLanguage({ path, language }: PayScene, request: Request, reply: FastifyReply): void {
    if (knownLanguage(request.query.lang) === undefined) return;
    const secure = tools.config.baseUrl.startsWith('https:') ? '; Secure' : '';
    reply.header('set-cookie', `lang=${language}; Path=${path}; HttpOnly; SameSite=Lax${secure}`);
  }

  async function findView(address: string): Promise<PayerView | undefined> {
    const [, id = '', payKey = ''] = addressShape.exec(address) ?? [];
    const transactionId = idFrom<TransactionId>(id);
    const view = transactionId && (await tools.transactions.findForPayer(transactionId, payKey));
    return view && !isOnWeb ? withoutWallet(view) : view;
  }

  /** Only the page of a marketplace transaction has a cart, and another query. */
  async function sendPay(reply: FastifyReply, status: number, scene: PayScene, step: Step): Promise<FastifyReply> {
    const { id, origin } = scene.view.transaction;
    const cart = origin === 'marketplace' ? cartHtml(scene, await listCart(tools, id, productsShown)) : undefined;
    return sendPage(reply, status, payPage(scene, step, cart));
  }

  async function show(scene: PayScene, request: Request, reply: FastifyReply): Promise<FastifyReply> {
    const { method, already, go } = request.query;
    const state = stateOf(scene.view, readChosen(method), tools.clock.now());
    const shown = state.kind === 'paid' && already !== undefined ? { ...state, earlier: true } : state;
    return sendState(reply, 200, scene, shown, [], go !== undefined);
  }

  /** The page of a state, alone or in its frame. */
  async function sendState(
    reply: FastifyReply,
    status: number,
    scene: PayScene,
    state: State,
    faults: readonly FieldFault[],
    going = false,
  ): Promise<FastifyReply> {
    const { frame, view } = scene;
    const step = stepOf(scene, state, cardOptions, faults);
    if (!frame) return sendPay(reply, status, scene, step);
    return sendPage(reply, status, framePage(scene, frame, step, toldOf(state, view, going)), frame);
  }

  async function take(before: PayScene, request: Request, reply: FastifyReply): Promise<FastifyReply> {
    const { view, path, frame } = before;
    if (view.transaction.status !== 'pending') return sendAway(reply, pageUrl(before, 'already'));
    const form = readForm(tools, view, request.body);
    if (form.kind === 'unknown') return sendAway(reply, pageUrl(before));
    const scene = payScene(sceneIn(house, form.language ?? before.language, form.method), view, path, wallet, frame);
    const state = stateOf(view, form.method, tools.clock.now());
    // Expired, or too many attempts: the page says so.
    if (state.kind !== 'method') return sendAway(reply, pageUrl(scene));
    if (form.kind === 'faults') return sendState(reply, 422, scene, state, form.faults);
    const { instrument, attempt } = form;
    const paid = await refusedAs(undefined, () => payAsPayer(view, instrument, attempt, scene.language));
    const toBank = paid?.attempt.state === 'waiting' && paid.attempt.link !== null;
    // The frame's script asks the page around it to go there.
    const bank = frame ? pageUrl(scene, 'go') : `${path}/bank`;
    return sendAway(reply, toBank ? bank : pageUrl(scene));
  }

  /** A merchant session for a wallet payment on this page. */
  async function startWallet(scene: PayScene, request: Request, reply: FastifyReply): Promise<FastifyReply> {
    if (!isWalletForm(scene)) return sendJson(reply, { result: 'refused' });
    const validationUrl = readFields(request.body).get('validationUrl') ?? '';
    const { name: displayName } = scene.view.merchant;
    const wanted = { domainName: new URL(tools.config.baseUrl).host, displayName, validationUrl };
    const session = await tools.wallet.initOwnSession(wanted).catch(refusedOrAway);
    return sendJson(reply, session === undefined ? { result: 'refused' } : { session });
  }

  /**
   * Pays with the token of the payer's device. Called by the page's script, which then reloads the page, unless the token
   * was refused: the payer may try again with the same form.
   */
  async function takeWallet(scene: PayScene, request: Request, reply: FastifyReply): Promise<FastifyReply> {
    const form = readForm(tools, scene.view, request.body, 'wallet');
    if (form.kind !== 'ready' || !isWalletForm(scene)) return sendJson(reply, { result: 'outdated' });
    const paying = payAsPayer(scene.view, form.instrument, form.attempt, scene.language);
    const result = await paying.then(
      (settled) => (settled ? writeResult(settled.attempt) : 'outdated'),
      (error: unknown) => (isAboutState(error) ? 'outdated' : (refusedOrAway(error) ?? 'refused')),
    );
    return sendJson(reply, { result });
  }

  /** Whether the page can show the form of the wallet. */
  function isWalletForm({ view }: PayScene): boolean {
    const wallet = methodsOf(view).find(({ form }) => form === 'wallet');
    return wallet !== undefined && stateOf(view, wallet.id, tools.clock.now()).kind === 'method';
  }

  /** To the bank's page, through a page of ours: a redirect of the form itself would be subject to form-action. */
  async function goToBank(scene: PayScene, _request: Request, reply: FastifyReply): Promise<FastifyReply> {
    const state = stateOf(scene.view, undefined, tools.clock.now());
    if (state.kind !== 'confirm') return sendAway(reply, scene.path);
    return sendPay(reply, 200, scene, goingStep(scene, state.link));
  }

  async function askCancel(scene: PayScene, _request: Request, reply: FastifyReply): Promise<FastifyReply> {
    if (scene.view.transaction.status !== 'pending') return sendAway(reply, scene.path);
    return sendPay(reply, 200, scene, cancelStep(scene));
  }

  async function cancel(scene: PayScene, _request: Request, reply: FastifyReply): Promise<FastifyReply> {
    const { merchant, transaction } = scene.view;
    // Whatever its origin: the check for merchants, that each endpoint cancels its own kind, is not for payers.
    const cancelAny = () => tools.transactions.cancel(merchant, transaction.id, () => undefined);
    const canceled = await refusedAs(undefined, cancelAny);
    return sendAway(reply, canceled ? `${scene.path}/leave` : scene.path);
  }

  async function goToShop(scene: PayScene, _request: Request, reply: FastifyReply): Promise<FastifyReply> {
    const { status, errorUrl } = scene.view.transaction;
    if (status !== 'canceled' || errorUrl === null) return sendAway(reply, scene.path);
    return sendPay(reply, 200, scene, leavingStep(scene, errorUrl));
  }

  function tellMark(scene: PayScene, _request: Request, reply: FastifyReply): FastifyReply {
    return sendJson(reply, { mark: markOf(scene.view) });
  }

  /** Made only for those who open it: a code takes longer than a page. */
  function sendQr({ path }: PayScene, _request: Request, reply: FastifyReply): FastifyReply {
    return reply
      .header('content-type', 'image/svg+xml; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, max-age=86400')
      .send(qrSvg(tools.config.baseUrl + path));
  }

  /** Before the body is read: refuses forms of other sites, and too many forms. */
  async function checkForm(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    formLimit.take(request);
    if (isOwnForm(request, tools.config.baseUrl)) return undefined;
    const scene = sceneOf(request);
    return sendPage(reply, 403, plainPage(scene, refusedFormStep(scene, pagePath(request))));
  }

  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const status = pageStatusOf(error);
      const about = { requestId: request.id, status, err: error };
      if (status === 500) tools.log.error(about, 'a pay page failed');
      else if (status === 503) tools.log.warn(about, 'unavailable');
      if (status === 429) reply.header('retry-after', '1');
      const scene = sceneOf(request);
      const step = isUnreadable(error)
        ? refusedFormStep(scene, pagePath(request), 'unreadable')
        : failedStep(scene, pagePath(request));
      return sendPage(reply, status, plainPage(scene, step));
    });
    const page = { config: { endpoint: 'pay page' } };
    const form = { config: { endpoint: 'pay form' }, onRequest: checkForm, bodyLimit: bodyBytesAtMost };
    scope.get<Asked>('/pay/:address', page, on(show));
    scope.post<Asked>('/pay/:address', form, on(take));
    scope.get<Asked>('/pay/:address/embed', page, onFrame(show));
    scope.post<Asked>('/pay/:address/embed', form, onFrame(take));
    scope.post<Asked>('/pay/:address/wallet', { ...form, bodyLimit: walletBytesAtMost }, on(takeWallet));
    scope.post<Asked>('/pay/:address/wallet/session', form, on(startWallet));
    scope.get<Asked>('/pay/:address/status', { config: { endpoint: 'pay status' } }, on(tellMark));
    scope.get<Asked>('/pay/:address/bank', page, on(goToBank));
    scope.get<Asked>('/pay/:address/cancel', page, on(askCancel));
    scope.post<Asked>('/pay/:address/cancel', form, on(cancel));
    scope.get<Asked>('/pay/:address/leave', page, on(goToShop));
    scope.get<Asked>('/pay/:address/qr.svg', page, on(sendQr));
    for (const path of ['/pay/:address', '/pay/:address/embed', '/pay/:address/cancel'])
      routeOtherMethods(scope, path, ['GET', 'POST']);
    for (const path of ['wallet', 'wallet/session']) routeOtherMethods(scope, `/pay/:address/${path}`, ['POST']);
    for (const path of ['status', 'bank', 'leave', 'qr.svg'])
      routeOtherMethods(scope, `/pay/:address/${path}`, ['GET']);
    registerAssets(scope, tools);
  });
}

/** Chosen by the payer: in the URL, or earlier for this payment. */
function chosenLanguage({ query, headers }: FastifyRequest): Language | undefined {
  const { lang } = (query ?? {}) as Asked['Querystring'];
  return knownLanguage(lang) ?? knownLanguage(/(?:^|;\s*)lang=([a-z]{2})(?:;|$)/.exec(headers.cookie ?? '')?.[1]);
}

/** The page itself, for links on error pages. The URL was not validated: it is only echoed. */
function pagePath(request: FastifyRequest): string {
  const { address } = (request.params ?? {}) as { address?: string };
  return address === undefined ? '/' : `/pay/${encodeURIComponent(address)}`;
}

/** The payer can try again; the reason is logged. */
function refusedOrAway(error: unknown): undefined {
  if (error instanceof Refusal || error instanceof Unavailable) return undefined;
  throw error;
}

/** If the wallet is not set up for the web, this page does not offer it. */
function withoutWallet(view: PayerView): PayerView {
  const channels = view.merchant.channels.filter((id) => methodOf(id)?.form !== 'wallet');
  return { ...view, merchant: { ...view.merchant, channels } };
}

/** Origins of scripts that are not ours. */
function originsOf(scripts: readonly string[]): string[] {
  return scripts.filter((url) => !url.startsWith('/')).map((url) => new URL(url).origin);
}

/** Refusals because of the state, for example already paid, are shown by the page that follows. */
async function refusedAs<T, Instead>(instead: Instead, work: () => Promise<T>): Promise<T | Instead> {
  try {
    return await work();
  } catch (error) {
    if (isAboutState(error)) return instead;
    throw error;
  }
}

/** Of the form itself, before anything was done with it: too long, or a field twice. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof Refusal) return ['duplicate_field', 'invalid_request_body'].includes(error.code);
  return !(error instanceof Unavailable) && [400, 413, 415].includes(pageStatusOf(error));
}

function isAboutState(error: unknown): boolean {
  return error instanceof Refusal && pageStatusOf(error) === 409;
}
