// pain.002: the bank's answer to a payment file, about the whole file or about single payments. Information, not proof:
// only a statement says what moved.

import { FileFault, missing, notValid, twice } from './fault.ts';
import type { Part, PartReader, PaymentStatus } from './model.ts';
import { type Scope, Scopes, type ScopesGiven } from './scopes.ts';
import { nameFrom } from './values.ts';
import { XmlText } from './xml.ts';

const reasons = ['StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry', 'StsRsnInf/AddtlInf'];

const by = 'Document/CstmrPmtStsRpt';
const given: ScopesGiven = {
  OrgnlGrpInfAndSts: { within: '', by, paths: new Set(['OrgnlMsgId', 'GrpSts', ...reasons]) },
  OrgnlPmtInfAndSts: { within: '', by, paths: new Set(['OrgnlPmtInfId', 'PmtInfSts', ...reasons]) },
  TxInfAndSts: {
    within: 'OrgnlPmtInfAndSts',
    by: '',
    paths: new Set(['OrgnlEndToEndId', 'TxSts', ...reasons]),
  },
};

/** The path of the status, by scope. */
const statusPaths: Readonly<Record<string, string>> = {
  OrgnlGrpInfAndSts: 'GrpSts',
  OrgnlPmtInfAndSts: 'PmtInfSts',
  TxInfAndSts: 'TxSts',
};

const versions = ['pain.002.001.03', 'pain.002.001.10'];

export class Pain002Reader implements PartReader {
  readonly #xml: XmlText;
  #parts: Part[] = [];
  #group: Scope | undefined;
  #payment: Scope | undefined;

  constructor() {
    const scopes = new Scopes(
      given,
      (scope) => {
        if (scope.name === 'OrgnlPmtInfAndSts') this.#payment = scope;
      },
      (scope) => this.#closed(scope),
    );
    this.#xml = new XmlText({
      version: checkVersion,
      open: (name, attributes) => scopes.open(name, attributes),
      close: (text) => scopes.close(text),
    });
  }

  take(text: string): Part[] {
    this.#xml.take(text);
    return this.#taken();
  }

  end(): Part[] {
    this.#xml.end();
    if (!this.#group) throw new FileFault({ code: 'nothing_in_it', parameters: {} });
    return this.#taken();
  }

  #taken(): Part[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  #closed(scope: Scope): void {
    if (scope.name === 'OrgnlGrpInfAndSts') {
      if (this.#group) throw twice(scope.name);
      this.#group = scope;
    }
    const status = scope.find(statusPaths[scope.name] ?? '');
    if (status !== null) this.#parts.push({ kind: 'status', status: this.#statusOf(scope, status) });
    if (scope === this.#payment) this.#payment = undefined;
  }

  #statusOf(scope: Scope, status: string): PaymentStatus {
    if (!this.#group) throw missing('OrgnlGrpInfAndSts');
    if (!/^[A-Z]{4}$/.test(status)) throw notValid(`${scope.name}/${statusPaths[scope.name]}`, status);
    const endToEndId = scope.find('OrgnlEndToEndId');
    return {
      messageId: this.#group.get('OrgnlMsgId'),
      paymentId: this.#payment?.find('OrgnlPmtInfId') ?? null,
      endToEndId: endToEndId === null ? null : nameFrom(endToEndId),
      status,
      reason: scope.find('StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry'),
      text: scope.find('StsRsnInf/AddtlInf') ?? '',
    };
  }
}

function checkVersion(version: string): void {
  if (!versions.includes(version)) throw new FileFault({ code: 'version_unknown', parameters: { version } });
}
