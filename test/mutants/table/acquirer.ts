// Mutants of acquirer: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const acquirerMutants: readonly Mutant[] = [
  {
    file: 'src/banking/charges/settle.ts',
    line: 'return acquirer === undefined || acquirer === locked.charge.acquirer;',
    instead: 'return true;',
    bug: 'one acquirer ends charges of another',
    tests: {
      'test/acquirer/two-banks.test.ts': [
        'does not approve, decline or cancel a charge',
        'at the same time as the right one',
      ],
    },
  },
  {
    file: 'src/banking/outgoing/purpose.ts',
    line: 'if (acquirer !== undefined && acquirer !== outgoing.acquirer) return { outgoing, step: none };',
    instead: '',
    bug: 'one acquirer ends refunds of another',
    tests: { 'test/acquirer/two-banks.test.ts': ['does not end a refund'] },
  },
  {
    file: 'src/banking/outgoing/send.ts',
    line: 'await acquirers.named(outgoing.acquirer).refund({ key, chargeKey, amount, deadlineMilliseconds });',
    instead: 'await acquirers.list[0].acquirer.refund({ key, chargeKey, amount, deadlineMilliseconds });',
    bug: 'a refund goes to the acquirer in front instead of the one that captured',
    tests: { 'test/acquirer/two-banks.test.ts': ['a refund goes to the one that captured'] },
  },
  {
    file: 'src/transactions/pay.ts',
    line: "if (!next || result.kind !== 'notReached') return settleOwn(tools, attempt.id, result, inserted);",
    instead:
      "if (!next || (result.kind !== 'notReached' && result.kind !== 'unknown')) return settleOwn(tools, attempt.id, result, inserted);",
    bug: 'a payment that may have been taken is asked for at the next acquirer',
    tests: { 'test/acquirer/two-banks.test.ts': ['is not asked after unknown'] },
  },
  {
    file: 'src/transactions/pay.ts',
    line: 'if (wasTriedElsewhere(first)) return (await resume(tools, merchant, read, nextChargeId(attemptId))) ?? first;',
    instead: '',
    bug: 'a request that is sent again does not find the payment at the next acquirer',
    tests: { 'test/acquirer/next-acquirer-crash.test.ts': ['at every edge, and the request is sent again'] },
  },
  {
    file: 'src/transactions/rules.ts',
    line: "if (attempt.state !== 'sent') return { kind: 'look', because: 'unknown' };",
    instead: '',
    bug: 'a charge ends, or goes on elsewhere, although another run may have sent it',
    tests: {
      'src/transactions/rules.test.ts': ['one that was not reached ends only if nobody else has touched it'],
      'test/acquirer/two-banks.test.ts': ['captured, and the repeated request does not reach the bank'],
    },
  },
  {
    file: 'src/acquirer/rules.ts',
    line: 'const named = fitting.filter((route) => specificity(route) === most).toSorted(inOrder);',
    instead: 'const named = fitting.toSorted(inOrder);',
    bug: "a merchant's money goes where its route does not say",
    tests: { 'src/acquirer/rules.test.ts': ['the most specific ones alone'] },
  },
  {
    file: 'src/reconciliation/store/runs.ts',
    line: 'if (await hasOthers(sql, run)) await deleteEndedLines(sql);',
    instead: 'if (false) await deleteEndedLines(sql);',
    bug: 'a run erases the lines of another that has just begun',
    tests: { 'test/reconciliation/two-acquirers.test.ts': ['one begins while the other forgets what is over'] },
  },
  {
    file: 'src/methods/instrument.ts',
    line: 'await refuseUnlessOffered(tools, { channelId: method.id, merchantId, amount }, prefix);',
    instead: '',
    bug: 'a request is begun for a channel that nobody takes',
    tests: { 'test/acquirer/offers.test.ts': ['E1 and E2 refuse it like a channel that is off'] },
  },
  {
    file: 'src/acquirer/signature.ts',
    line: "return apart <= toleranceSeconds ? { kind: 'valid', key, signature } : refused('stale');",
    instead: "return { kind: 'valid', key, signature };",
    bug: 'an old callback is believed again',
    tests: { 'src/acquirer/signature.test.ts': ['when it is too old', 'when it is from the future'] },
  },
  {
    file: 'src/acquirer/signature.ts',
    line: 'return `${message.method}\\n${message.path}\\n${timestamp}\\n`;',
    instead: 'return `${message.method}\\n${timestamp}\\n`;',
    bug: 'the signature of a request fits another path',
    tests: { 'src/acquirer/signature.test.ts': ['the request', 'the callback'] },
  },
  {
    file: 'src/acquirer/signature.ts',
    line: 'return signature !== null && equal(mac(key.secret, `ANSWER\\n${requestSignature}\\n${status}\\n`, body), signature);',
    instead: 'return signature !== null && equal(mac(key.secret, `ANSWER\\n${status}\\n`, body), signature);',
    bug: 'the response to one request is believed for another',
    tests: { 'src/acquirer/signature.test.ts': ['a response is bound to its request, status and body'] },
  },
  {
    file: 'src/acquirer/callback.ts',
    line: "if (why !== 'malformed') return { kind: 'refused', why, refusal: notSigned() };",
    instead: '',
    bug: 'a callback with a wrong signature is called malformed',
    tests: { 'test/platform/edge-values.test.ts': ['401: an empty callback under a known key'] },
  },
  {
    file: 'src/acquirer/http.ts',
    line: 'if (!isSafe(new URL(options.url)) && !options.allowPlainHttp) {',
    instead: 'if (!isSafe(new URL(options.url)) && options.allowPlainHttp) {',
    bug: 'card data goes over the network in plain text',
    tests: { 'src/acquirer/http.test.ts': ['plain http to another machine is refused unless it is allowed'] },
  },
  {
    file: 'sdk/verify.ts',
    line: 'const accounts = [named?.merchantId, read.merchantId, expected].filter((account) => account !== undefined);',
    instead: 'const accounts = [read.merchantId, expected].filter((account) => account !== undefined);',
    bug: 'a notification of another account, signed by the service, is accepted',
    tests: {
      'test/notifications/sdk-verify.test.ts': ['refuses: another account', 'refuses: another account, by JWS'],
    },
  },
  {
    file: 'sdk/verify.ts',
    line: "if (named && named.id !== id) throw new NotificationFault('webhook_id_wrong', 'webhook-id is not the signed one.');",
    instead: '',
    bug: 'a notification is replayed under another id',
    tests: { 'test/notifications/sdk-verify.test.ts': ['refuses: another id, by JWS'] },
  },
  {
    file: 'sdk/verify.ts',
    line: 'if (!/^\\d{1,12}$/.test(timestamp) || !(apart <= toleranceSeconds)) {',
    instead: 'if (!/^\\d{1,12}$/.test(timestamp) || apart > toleranceSeconds) {',
    bug: 'a forgotten tolerance accepts any age',
    tests: {
      'test/notifications/sdk-verify.test.ts': [
        'refuses: too old, where the tolerance is no number',
        'refuses: at a time that is none',
      ],
    },
  },
  {
    file: 'sdk/verify.ts',
    line: 'if (keys.length > 0 && keys.every((key) => key.length >= keyBytesAtLeast)) return keys;',
    instead: 'if (keys.length > 0) return keys;',
    bug: 'an empty secret lets anybody sign',
    tests: { 'test/notifications/sdk-verify.test.ts': ['refuses: an empty secret', 'refuses: a secret without bytes'] },
  },
  {
    file: 'sdk/verify.ts',
    line: 'if (merchantId) return undefined;',
    instead: 'return undefined;',
    bug: 'by the certificate alone any account is accepted',
    tests: { 'test/notifications/sdk-verify.test.ts': ['the options must name the account or its secret'] },
  },
  {
    file: 'sdk/jws.ts',
    line: "return url.origin === base.origin && url.username === '' && url.pathname.startsWith(base.pathname);",
    instead: 'return url.href.startsWith(baseUrl);',
    bug: 'a certificate at another host is believed',
    tests: {
      'test/notifications/sdk-verify.test.ts': [
        'refuses a certificate at {base}@evil.example/x',
        'refuses a certificate at {base}0/x509/notifications-jws.pem',
      ],
    },
  },
  {
    file: 'sdk/jws.ts',
    line: 'if (!issuer.ca || !certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) {',
    instead: 'if (!issuer.ca || !certificate.checkIssued(issuer)) {',
    bug: 'a certificate that only names the root is believed',
    tests: { 'test/notifications/sdk-verify.test.ts': ['refuses a chain that leads to another root'] },
  },
  {
    file: 'sdk/jws.ts',
    line: 'if (now < new Date(certificate.validFrom) || now > new Date(certificate.validTo)) {',
    instead: 'if (now < new Date(certificate.validFrom)) {',
    bug: 'an expired certificate signs',
    tests: { 'test/notifications/sdk-verify.test.ts': ['refuses: after the certificate'] },
  },
  {
    file: 'src/acquirer/open.ts',
    line: 'await activity?.callback(name, received.kind);',
    instead: '',
    bug: 'nobody sees that callbacks are refused',
    tests: { 'test/stripe/service.test.ts': ['callbacks are counted, and the last one is known'] },
  },
  {
    file: 'src/acquirer/http.ts',
    line: 'if (response.status === 404 && absent !== undefined) return absent;',
    instead: '',
    bug: 'a connector that cannot say what it takes is asked in vain, with a warning each minute',
    tests: { 'src/acquirer/http.test.ts': ['is everything if it has no such path'] },
  },
  {
    file: 'src/acquirer/offers.ts',
    line: "if (answer.kind === 'offers') this.#offers = answer.offers;",
    instead: "this.#offers = answer.kind === 'offers' ? answer.offers : undefined;",
    bug: 'a list that cannot be read takes everything, although the one before did not',
    tests: { 'src/acquirer/offers.test.ts': ['go on when they cannot be read again'] },
  },
  {
    file: 'src/acquirer/offers.ts',
    line: 'if (age < 0 || age >= freshMilliseconds)',
    instead: 'if (age < 0)',
    bug: 'what a connector takes now is known after a restart only',
    tests: {
      'src/acquirer/offers.test.ts': ['are read again while they are used'],
      'test/acquirer/grosz-bank.test.ts': ['is learned when it can be asked'],
    },
  },
  {
    file: 'src/acquirer/activity.ts',
    line: 'return acquirer.offers;',
    instead: 'return undefined;',
    bug: 'charges go to an acquirer that does not take them',
    tests: { 'test/acquirer/grosz-bank.test.ts': ['is learned when it can be asked'] },
  },
];
