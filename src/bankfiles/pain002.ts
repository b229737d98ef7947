// pain.002: what the bank says of a file of payments, of all of it or of single payments. Information, not proof: only a
// statement says what moved.

import { FileFault } from './fault.ts';
import type { Part, PartReader, PaymentStatus } from './model.ts';
import { type Scope, Scopes, versionOf, type Wanted } from './scopes.ts';
import { XmlText } from './xml.ts';

const reasons = ['StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry', 'StsRsnInf/AddtlInf'];

const wanted: Wanted = {
  OrgnlGrpInfAndSts: new Set(['OrgnlMsgId', 'GrpSts', ...reasons]),
  OrgnlPmtInfAndSts: new Set(['OrgnlPmtInfId', 'PmtInfSts', ...reasons]),
  TxInfAndSts: new Set(['OrgnlEndToEndId', 'TxSts', ...reasons]),
};

/** By scope, where its status is. */
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
      wanted,
      (scope) => {
        if (scope.name === 'OrgnlPmtInfAndSts') this.#payment = scope;
      },
      (scope) => this.#closed(scope),
    );
    this.#xml = new XmlText({
      open: (name, attributes) => {
        if (name === 'Document') checkVersion(versionOf(attributes));
        scopes.open(name, attributes);
      },
      close: (name, text) => scopes.close(name, text),
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
    if (scope.name === 'OrgnlGrpInfAndSts') this.#group = scope;
    const status = scope.find(statusPaths[scope.name] ?? '');
    if (status !== null) this.#parts.push({ kind: 'status', status: this.#statusOf(scope, status) });
    if (scope === this.#payment) this.#payment = undefined;
  }

  #statusOf(scope: Scope, status: string): PaymentStatus {
    if (!this.#group) throw new FileFault({ code: 'missing', parameters: { what: 'OrgnlGrpInfAndSts' } });
    return {
      messageId: this.#group.get('OrgnlMsgId'),
      paymentId: this.#payment?.find('OrgnlPmtInfId') ?? null,
      endToEndId: scope.find('OrgnlEndToEndId'),
      status,
      reason: scope.find('StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry'),
      text: scope.find('StsRsnInf/AddtlInf') ?? '',
    };
  }
}

function checkVersion(version: string): void {
  if (!versions.includes(version)) throw new FileFault({ code: 'version_unknown', parameters: { version } });
}
