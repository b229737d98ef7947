// Which payment a request of the pay page is about, and in which language and surroundings it is shown.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../../../contract/languages.ts';
import { idFrom, type TransactionId } from '../../kernel/index.ts';
import { methodOf } from '../../methods/index.ts';
import type { PayerView } from '../../transactions/index.ts';
import { chooseLanguage, knownLanguage } from '../language.ts';
import type { PageTools } from '../tools.ts';
import { type Frame, type FrameQuery, readFrame, viewIn } from './frame.ts';
import { inTime } from './in-time.ts';
import { operatorNote, type PayScene, payScene, plainPage, type Scene, sceneIn, walletScene } from './layout.ts';
import { readChosen } from './rules.ts';
import type { Sending } from './security.ts';
import { notFoundStep, refusedFrameStep } from './states.ts';

export interface PayAsked {
  readonly Params: { readonly address: string };
  readonly Querystring: FrameQuery & {
    readonly method?: unknown;
    readonly already?: unknown;
    /** The form in a frame was sent, and the bank wants to ask the payer. */
    readonly go?: unknown;
    /** Added by an acquirer to the address that it returns the payer to. */
    readonly redirect_status?: unknown;
  };
}

export type PayRequest = FastifyRequest<PayAsked>;

type Answer = Promise<FastifyReply> | FastifyReply;
type Work = (scene: PayScene, request: PayRequest, reply: FastifyReply) => Answer;
type Found = (view: PayerView, request: PayRequest, reply: FastifyReply) => Answer;

const addressShape = /^([0-9A-Z]{26})\.([A-Za-z0-9_-]{1,64})$/;

export class Scenes {
  readonly #tools: PageTools;
  readonly #sending: Sending;
  readonly #house: Parameters<typeof sceneIn>[0];
  readonly #wallet: ReturnType<typeof walletScene>;

  constructor(tools: PageTools, sending: Sending) {
    const { mode, operator, wallet } = tools.config;
    this.#tools = tools;
    this.#sending = sending;
    this.#house = { sandbox: mode === 'sandbox', operator: operatorNote(operator) };
    this.#wallet = walletScene(wallet.sessionObject, tools.wallet.scripts);
  }

  /** Without a payment. */
  of(request: FastifyRequest, lang = '', usual: string | null = null): Scene {
    const { method } = (request.query ?? {}) as PayAsked['Querystring'];
    const language = chooseLanguage(chosenLanguage(request) ?? lang, request.headers['accept-language'], usual);
    return sceneIn(this.#house, language, readChosen(method));
  }

  /** The same payment, with what its form chose. */
  again({ view, path, frame, language }: PayScene, chosen: Language | undefined, method: number): PayScene {
    return payScene(sceneIn(this.#house, chosen ?? language, method), view, path, this.#wallet, frame);
  }

  on(work: Work) {
    return this.#whenFound((view, request, reply) => {
      const scene = this.#sceneFor(view, request);
      this.#keepLanguage(scene, request, reply);
      return work(scene, request, reply);
    });
  }

  /** The same in a frame of a page that the merchant registered. */
  onFrame(work: Work) {
    return this.#whenFound((view, request, reply) => {
      const { query } = request;
      const frame = readFrame(query, view);
      if (frame) return work(this.#sceneFor(viewIn(query, view), request, frame), request, reply);
      const scene = this.#sceneFor(view, request);
      const origin = typeof query.origin === 'string' ? query.origin.slice(0, 300) : '';
      return this.#sending.sendPage(reply, 403, plainPage(scene, refusedFrameStep(scene, scene.path, origin)));
    });
  }

  /** Finds the transaction in the URL; an unknown id and a wrong key give the same page. */
  #whenFound(work: Found) {
    return inTime(this.#tools.log, async (request: PayRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const view = await this.#findView(request.params.address);
      if (view) return work(view, request, reply);
      const scene = this.of(request);
      return this.#sending.sendPage(reply, 404, plainPage(scene, notFoundStep(scene)));
    });
  }

  async #findView(address: string): Promise<PayerView | undefined> {
    const [, id = '', payKey = ''] = addressShape.exec(address) ?? [];
    const transactionId = idFrom<TransactionId>(id);
    const view = transactionId && (await this.#tools.transactions.findForPayer(transactionId, payKey));
    return view && !this.#tools.wallet.isOnWeb ? withoutWallet(view) : view;
  }

  #sceneFor(view: PayerView, request: PayRequest, frame?: Frame): PayScene {
    const asked = this.of(request, view.transaction.lang, view.merchant.page.language);
    return payScene(asked, view, `/pay/${request.params.address}`, this.#wallet, frame);
  }

  /** For this payment only; a choice that stayed for longer would follow the payer from shop to shop. */
  #keepLanguage({ path, language }: PayScene, request: PayRequest, reply: FastifyReply): void {
    if (knownLanguage(request.query.lang) === undefined) return;
    const secure = this.#tools.config.baseUrl.startsWith('https:') ? '; Secure' : '';
    reply.header('set-cookie', `lang=${language}; Path=${path}; HttpOnly; SameSite=Lax${secure}`);
  }
}

/** Chosen by the payer: in the URL, or earlier for this payment. */
function chosenLanguage({ query, headers }: FastifyRequest): Language | undefined {
  const { lang } = (query ?? {}) as PayAsked['Querystring'];
  return knownLanguage(lang) ?? knownLanguage(/(?:^|;\s*)lang=([a-z]{2})(?:;|$)/.exec(headers.cookie ?? '')?.[1]);
}

/** If the wallet is not set up for the web, this page does not offer it. */
function withoutWallet(view: PayerView): PayerView {
  const channels = view.merchant.channels.filter((id) => methodOf(id)?.form !== 'wallet');
  return { ...view, merchant: { ...view.merchant, channels } };
}
