// What the pay page does: shows a state, takes its forms, leads to the bank and back to the shop. Every form is answered
// with a redirect, so that reload and back show the current state and resubmit nothing.

import type { FastifyReply } from 'fastify';
import { pageStatusOf, readForm as readFields } from '../../http/index.ts';
import { Refusal, Unavailable } from '../../kernel/index.ts';
import { listCart } from '../../marketplace/index.ts';
import { nextAttempt, serializeResult } from '../../transactions/index.ts';
import type { PageTools } from '../tools.ts';
import { cartHtml, productsShown } from './cart.ts';
import { readForm } from './form.ts';
import { nothingSent, type Sent } from './forms.ts';
import { frameStateOf } from './frame.ts';
import { framePage, type PayScene, pageUrl, payPage, type Step } from './layout.ts';
import { qrSvg } from './qr.ts';
import { markOf, methodsOf, readChosen, type State, stateOf } from './rules.ts';
import type { PayRequest, Scenes } from './scenes.ts';
import type { Sending } from './security.ts';
import { cancelStep, goingStep, leavingStep } from './states.ts';
import { type CardOptions, stepOf } from './steps.ts';
import { TokenReading } from './token.ts';

export class PayActions {
  readonly #tools: PageTools;
  readonly #scenes: Scenes;
  readonly #sending: Sending;
  readonly #cardOptions: CardOptions;
  readonly #tokens: TokenReading;

  constructor(tools: PageTools, scenes: Scenes, sending: Sending) {
    this.#tools = tools;
    this.#scenes = scenes;
    this.#sending = sending;
    this.#tokens = new TokenReading(tools);
    const cardKey = tools.cards.publicPem.replaceAll(/-----[A-Z ]+-----|\s/g, '');
    this.#cardOptions = { cardKey, cardBrands: tools.config.cardBrands };
  }

  async show(scene: PayScene, request: PayRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { method, already, go, redirect_status: returned } = request.query;
    // From the acquirer's page, with what it says about the payment: what counts is asked for, and a secret stays nowhere.
    if (returned !== undefined) return this.#sending.sendAway(reply, pageUrl(scene));
    const state = stateOf(scene.view, readChosen(method), this.#tools.clock.now());
    const shown = state.kind === 'paid' && already !== undefined ? { ...state, earlier: true } : state;
    return this.#sendState(reply, 200, scene, shown, { going: go !== undefined });
  }

  async pay(before: PayScene, request: PayRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { view, path, frame } = before;
    if (view.transaction.status !== 'pending') return this.#sending.sendAway(reply, pageUrl(before, 'already'));
    const form = readForm(this.#tools, view, request.body);
    if (form.kind === 'unknown') return this.#sending.sendAway(reply, pageUrl(before));
    const scene = this.#scenes.again(before, form.language, form.method);
    const state = stateOf(view, form.method, this.#tools.clock.now());
    // Expired, or too many attempts: the page says so.
    if (state.kind !== 'method') return this.#sending.sendAway(reply, pageUrl(scene));
    if (form.kind === 'faults') return this.#sendState(reply, 422, scene, state, form);
    const { attempt } = form;
    // Sent before, or from another tab: the acquirer is not asked about it.
    if (attempt !== nextAttempt(view)) return this.#sending.sendAway(reply, pageUrl(scene));
    const instrument = await this.#tokens.read(view.transaction.id, form.instrument);
    if ('faults' in instrument) return this.#sendState(reply, 422, scene, state, instrument);
    const paid = await refusedAs(undefined, () =>
      this.#tools.transactions.payAsPayer(view, instrument, attempt, scene.language),
    );
    const toBank = paid?.attempt.state === 'waiting' && paid.attempt.link !== null;
    // The frame's script asks the page around it to go there.
    const bank = frame ? pageUrl(scene, 'go') : `${path}/bank`;
    return this.#sending.sendAway(reply, toBank ? bank : pageUrl(scene));
  }

  /** A merchant session for a wallet payment on this page. */
  async startWallet(scene: PayScene, request: PayRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!this.#isWalletForm(scene)) return this.#sending.sendJson(reply, { result: 'refused' });
    const validationUrl = readFields(request.body).get('validationUrl') ?? '';
    const { name: displayName } = scene.view.merchant;
    const wanted = { domainName: new URL(this.#tools.config.baseUrl).host, displayName, validationUrl };
    const session = await this.#tools.wallet.initOwnSession(wanted).catch(refusedOrAway);
    return this.#sending.sendJson(reply, session === undefined ? { result: 'refused' } : { session });
  }

  /**
   * Pays with the token of the payer's device. Called by the page's script, which then reloads the page, unless the token
   * was refused: the payer may try again with the same form.
   */
  async payWithWallet(scene: PayScene, request: PayRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = readForm(this.#tools, scene.view, request.body, 'wallet');
    if (form.kind !== 'ready' || !this.#isWalletForm(scene))
      return this.#sending.sendJson(reply, { result: 'outdated' });
    const { instrument } = form;
    if (instrument.kind === 'token') return this.#sending.sendJson(reply, { result: 'outdated' });
    const paying = this.#tools.transactions.payAsPayer(scene.view, instrument, form.attempt, scene.language);
    const result = await paying.then(
      (settled) => (settled ? serializeResult(settled.attempt) : 'outdated'),
      (error: unknown) => (isAboutState(error) ? 'outdated' : (refusedOrAway(error) ?? 'refused')),
    );
    return this.#sending.sendJson(reply, { result });
  }

  /** To the bank's page, through a page of ours: a redirect of the form itself would be subject to form-action. */
  async goToBank(scene: PayScene, _request: PayRequest, reply: FastifyReply): Promise<FastifyReply> {
    const state = stateOf(scene.view, undefined, this.#tools.clock.now());
    if (state.kind !== 'confirm') return this.#sending.sendAway(reply, scene.path);
    return this.#sendPay(reply, 200, scene, goingStep(scene, state.link));
  }

  async askCancel(scene: PayScene, _request: PayRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (scene.view.transaction.status !== 'pending') return this.#sending.sendAway(reply, scene.path);
    return this.#sendPay(reply, 200, scene, cancelStep(scene));
  }

  async cancel(scene: PayScene, _request: PayRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { merchant, transaction } = scene.view;
    // Whatever its origin: the check for merchants, that each endpoint cancels its own kind, is not for payers.
    const cancelAny = () => this.#tools.transactions.cancel(merchant, transaction.id, () => undefined);
    const canceled = await refusedAs(undefined, cancelAny);
    return this.#sending.sendAway(reply, canceled ? `${scene.path}/leave` : scene.path);
  }

  async goToShop(scene: PayScene, _request: PayRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { status, errorUrl } = scene.view.transaction;
    if (status !== 'canceled' || errorUrl === null) return this.#sending.sendAway(reply, scene.path);
    return this.#sendPay(reply, 200, scene, leavingStep(scene, errorUrl));
  }

  sendMark(scene: PayScene, _request: PayRequest, reply: FastifyReply): FastifyReply {
    return this.#sending.sendJson(reply, { mark: markOf(scene.view) });
  }

  /** Made only for those who open it: a code takes longer than a page. */
  sendQr({ path }: PayScene, _request: PayRequest, reply: FastifyReply): FastifyReply {
    return reply
      .header('content-type', 'image/svg+xml; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, max-age=86400')
      .send(qrSvg(this.#tools.config.baseUrl + path));
  }

  /** Only the page of a marketplace transaction has a cart, and another query. */
  async #sendPay(reply: FastifyReply, status: number, scene: PayScene, step: Step): Promise<FastifyReply> {
    const { id, origin } = scene.view.transaction;
    const cart = origin === 'marketplace' ? cartHtml(scene, await listCart(this.#tools, id, productsShown)) : undefined;
    const { origins } = step;
    return this.#sending.sendPage(reply, status, payPage(scene, step, cart), { origins });
  }

  /** The page of a state, alone or in its frame. */
  async #sendState(
    reply: FastifyReply,
    status: number,
    scene: PayScene,
    state: State,
    { going = false, ...sent }: Partial<Sent> & { readonly going?: boolean } = {},
  ): Promise<FastifyReply> {
    const { frame, view } = scene;
    const step = stepOf(scene, state, this.#cardOptions, { ...nothingSent, ...sent });
    if (!frame) return this.#sendPay(reply, status, scene, step);
    return this.#sending.sendPage(reply, status, framePage(scene, frame, step, frameStateOf(state, view, going)), {
      frame,
    });
  }

  /** Whether the page can show the form of the wallet. */
  #isWalletForm({ view }: PayScene): boolean {
    const wallet = methodsOf(view).find(({ form }) => form === 'wallet');
    return wallet !== undefined && stateOf(view, wallet.id, this.#tools.clock.now()).kind === 'method';
  }
}

/** The payer can try again; the reason is logged. */
function refusedOrAway(error: unknown): undefined {
  if (error instanceof Refusal || error instanceof Unavailable) return undefined;
  throw error;
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

function isAboutState(error: unknown): boolean {
  return error instanceof Refusal && pageStatusOf(error) === 409;
}
