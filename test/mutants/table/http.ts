// Mutants of http: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const httpMutants: readonly Mutant[] = [
  {
    file: 'src/http/entrance.ts',
    line: "if (access === 'operator' && !caller.operator) {",
    instead: "if (access === 'operator' && caller.readOnly) {",
    bug: 'a merchant acts on the whole installation',
    tests: { 'test/sandbox/operator.test.ts': ['a merchant can neither move the clock nor make the bank fail'] },
  },
  {
    file: 'src/http/entrance.ts',
    line: "if (access === 'owner' && !caller.owner) {",
    instead: "if (access === 'owner' && caller.readOnly) {",
    bug: 'staff change users and settings',
    tests: { 'test/panel/pay-page.test.ts': ['403: staff'] },
  },
  {
    file: 'src/http/entrance.ts',
    line: 'this.#route.admit?.(caller);',
    instead: '',
    bug: 'an account without the marketplace uses it',
    tests: { 'test/marketplace/access.test.ts': ['403: GET /accounts', '403: GET /accounts/pos'] },
  },
  {
    file: 'src/http/entrance.ts',
    line: 'identification?.guard(request);',
    instead: '',
    bug: 'another site signs a person in',
    tests: {
      'test/identity/sign-in.test.ts': ['403: without the CSRF token, with that of another session, from another site'],
    },
  },
  {
    file: 'src/http/entrance.ts',
    line: 'if (!joins) addressLimit.consume(request);\n' + '    const beganAt',
    instead: 'const beganAt',
    bug: 'made-up tokens are looked up without a limit',
    tests: { 'test/platform/limits.test.ts': ['unknown tokens count by address before they are looked up'] },
  },
  {
    file: 'src/http/handler.ts',
    line: 'const hide = call.caller?.readOnly ? this.#hiders.get(status) : undefined;',
    instead: 'const hide = undefined;',
    bug: 'a read-only credential sees secrets',
    tests: { 'test/accounts/read-only.test.ts': ['finds no secret and no card token on any endpoint'] },
  },
  {
    file: 'src/http/idempotency/index.ts',
    line: 'const leaseFor = Temporal.Duration.from({ seconds: 60 });',
    instead: 'const leaseFor = Temporal.Duration.from({ seconds: 0 });',
    bug: 'two requests with one key run at once',
    tests: { 'test/platform/idempotency-key.test.ts': ['20 parallel requests with one key'] },
  },
  {
    file: 'src/http/idempotency/index.ts',
    line: 'return { ...claim, seed: row.seed, startedAt: row.startedAt, resumed: true };',
    instead: 'return { ...claim, startedAt: row.startedAt, resumed: true };',
    bug: 'a run that continues after a crash makes other ids',
    tests: { 'test/platform/idempotency-key.test.ts': ['200: taking over after a crash, the transaction is there'] },
  },
  {
    file: 'src/http/idempotency/index.ts',
    line: 'export const keptFor = Temporal.Duration.from({ hours: 72 });',
    instead: 'export const keptFor = Temporal.Duration.from({ hours: 24 });',
    bug: 'keys are forgotten after a day',
    tests: { 'test/platform/idempotency-key.test.ts': ['kept 72 hours'] },
  },
  {
    file: 'src/http/limits.ts',
    line: 'if (this.#buckets.size >= bucketsAtMost) return this.#shared;',
    instead: '',
    bug: 'a flood of callers fills the memory',
    tests: {
      'src/http/limits.test.ts': [
        'a flood of callers clears nobody’s bucket and takes no more room',
        'callers without room share one bucket, and get their own when there is room again',
      ],
    },
  },
  {
    file: 'src/http/address.ts',
    line: "if ('hops' in trusted) return hop < trusted.hops;",
    instead: "if ('hops' in trusted) return true;",
    bug: 'a client chooses the address that it is counted by',
    tests: { 'src/http/address.test.ts': ['no proxy is trusted', 'one proxy: what it added'] },
  },
  {
    file: 'src/http/address.ts',
    line: "return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;",
    instead: "return `${[...before, ...zeros, ...after].join(':')}`;",
    bug: 'one customer of IPv6 has any number of addresses',
    tests: {
      'src/http/address.test.ts': [
        '2001:db8:1:2:3:4:5:6 counts as 2001:db8:1:2::/64',
        '2001:db8:1:2::ffff counts as 2001:db8:1:2::/64',
      ],
    },
  },
  {
    file: 'src/http/form.ts',
    line: "if (site !== undefined) return site === 'same-origin';",
    instead: "if (site !== undefined) return site !== 'cross-site';",
    bug: 'a page of a sister domain sends our forms',
    tests: { 'test/pages/pay-page.test.ts': ['403: {"sec-fetch-site":"same-site"}'] },
  },
  {
    file: 'src/http/look.ts',
    line: 'if (this.#refuseNeverIgnored(key, (given as Fields)[key], [])) found = true;',
    instead: '',
    bug: 'payment data inside an unknown field is ignored',
    tests: { 'test/transactions/payment-data.test.ts': ['400: nested, and among many fields'] },
  },
  {
    file: 'src/accounts/open.ts',
    line: "singleHeaders: ['X-Merchant-Id'],",
    instead: '',
    bug: 'of two X-Merchant-Id headers both count',
    tests: {
      'test/platform/single-headers.test.ts': [
        '400: X-Merchant-Id: 01JZ8D3K7R4M5N6P7Q8R9S0T1V and 01JZ8D3K7R4M5N6P7Q8R9S0T1W',
      ],
    },
  },
  {
    file: 'src/http/idempotency/index.ts',
    line: 'return `${method} ${path}\\n${canonicalJson(body)}`;',
    instead: 'return `${method}\\n${canonicalJson(body)}`;',
    bug: 'a key that was used at another path gets the response of that one',
    tests: { 'test/platform/idempotency-key.test.ts': ['422: another path'] },
  },
  {
    file: 'src/http/idempotency/index.ts',
    line: 'let checked = claim.resumed;',
    instead: 'let checked = false;',
    bug: 'a run that continues after a crash is refused because of what it did before',
    tests: { 'test/platform/idempotency-key.test.ts': ['200: a repeat after its channel was switched off'] },
  },
];
