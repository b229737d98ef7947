// Mutants of pages: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const pagesMutants: readonly Mutant[] = [
  {
    file: 'src/pages/pay/frame.ts',
    line: 'const known = merchant.page.embedOrigins.find((registered) => registered === origin);',
    instead: 'const known = merchant.page.embedOrigins.find((registered) => String(origin).startsWith(registered));',
    bug: 'a page whose address begins like a registered one shows the form',
    tests: { 'test/pages/embed.test.ts': ['403: a page of the origin', '403: more of a policy'] },
  },
  {
    file: 'src/pages/pay/frame.ts',
    line: 'const channels = view.merchant.channels.filter((id) => ids.includes(id));',
    instead: 'const channels = view.merchant.channels;',
    bug: 'the frame offers methods that leave it',
    tests: { 'test/pages/embed.test.ts': ['200: what it shows', '303: another method'] },
  },
  {
    file: 'src/pages/pay/routes.ts',
    line: 'limit.consume(request);',
    instead: '',
    bug: 'codes of BLIK are tried without a limit',
    tests: { 'test/pages/pay-page.test.ts': ['429: too many forms from one address'] },
  },
  {
    file: 'web/pay/embed.js',
    line: "if (origin !== this.#base || source !== this.#frame.contentWindow || data?.source !== 'grosz') return;",
    instead: "if (data?.source !== 'grosz') return;",
    bug: 'any page says that the payment succeeded',
    tests: { 'test/browser/embed.test.ts': ['messages of others are ignored', 'two forms; unmount'] },
  },
  {
    file: 'web/pay/embed.js',
    line: 'if (home !== new URL(payUrl).origin) refuse(`payUrl must begin with ${home}.`);',
    instead: '',
    bug: 'the form of another service is shown',
    tests: { 'test/browser/embed.test.ts': ['options that are wrong'] },
  },
  {
    file: 'web/pay/embed.js',
    line: 'if (name && news !== this.#shown) this.#emit(name, detailOf(state, method, reason));',
    instead: 'if (name) this.#emit(name, detailOf(state, method, reason));',
    bug: 'a page that is shown again tells its event twice',
    tests: { 'test/browser/embed.test.ts': ['card: declined, then paid by BLIK'] },
  },
];
