// Mutants of accounts: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const accountsMutants: readonly Mutant[] = [
  {
    file: 'src/accounts/authorize.ts',
    line: "if (!usable.some((secret) => timingSafeEqual(secret.secretHash, secretHash))) refuse('invalid_client');",
    instead: "if (usable.length === 0) refuse('invalid_client');",
    bug: 'any secret gives a token',
    tests: {
      'test/accounts/oauth.test.ts': [
        '401: wrong credentials all look alike',
        '401: a wrong secret in the body and a right one in Basic',
      ],
    },
  },
  {
    file: 'src/accounts/create.ts',
    line: "if (credential.revokedAt) refuse('access_denied', '', 'This credential was revoked.');",
    instead: '',
    bug: 'a revoked credential gets a new secret',
    tests: { 'test/accounts/oauth.test.ts': ['403: a revoked credential'] },
  },
  {
    file: 'src/accounts/create.ts',
    line: 'const sealed = tools.vault.seal(newSecret[which](tools), sealPurpose[which](id));',
    instead: 'const sealed = tools.vault.seal(newSecret.securityCode(tools), sealPurpose[which](id));',
    bug: 'a replaced webhook secret is no webhook secret',
    tests: { 'test/panel/developers.test.ts': ['P70, P71: secrets are shown and replaced'] },
  },
  {
    file: 'src/accounts/change.ts',
    line: "if (before.kind === 'partner' && (await countSellers(sql, id, null)) > 0)",
    instead: "if (before.kind === 'partner' && (await countSellers(sql, id, null)) > 1)",
    bug: 'a partner with a seller leaves the partner program',
    tests: { 'test/accounts/sellers.test.ts': ['the partner program as a setting'] },
  },
  {
    file: 'src/accounts/change.ts',
    line: 'await lockAccount(sql, id);',
    instead: '',
    bug: 'of two changes of an account at once one is lost',
    tests: { 'test/panel/operator.test.ts': ['P88: many changes at once'] },
  },
  {
    file: 'src/accounts/pay-page/origins.ts',
    line: "const secure = protocol === 'https:' || (protocol === 'http:' && sandbox && loopbackShape.test(hostname));",
    instead: "const secure = protocol === 'https:' || (protocol === 'http:' && loopbackShape.test(hostname));",
    bug: 'a live service lets a page without TLS embed the form',
    tests: { 'src/accounts/pay-page/origins.test.ts': ['http in live mode'] },
  },
  {
    file: 'src/accounts/store.ts',
    line: 'and access_token.revoked_at is null and access_token.expires_at > ${now}',
    instead: 'and access_token.revoked_at is null',
    bug: 'a token works after two hours',
    tests: { 'test/accounts/oauth.test.ts': ['401 after two hours'] },
  },
  {
    file: 'src/accounts/store.ts',
    line:
      'or exists (select from credential_secret as secret\n' +
      '                        where secret.credential_id = credential.id and secret.secret_hash = access_token.secret_hash))`;',
    instead: 'or true)`;',
    bug: 'a token works after its secret was dropped',
    tests: { 'test/accounts/oauth.test.ts': ['rotation'] },
  },
  {
    file: 'src/accounts/store.ts',
    line:
      'where partner_seller.partner_id = ${partnerId} and partner_seller.seller_id = ${sellerId}\n' +
      "       and account.status = 'active'`;",
    instead: 'where partner_seller.partner_id = ${partnerId} and partner_seller.seller_id = ${sellerId}`;',
    bug: 'a partner acts for a blocked seller',
    tests: { 'test/accounts/merchant-header.test.ts': ['404: a blocked seller'] },
  },
  {
    file: 'src/accounts/store.ts',
    line: 'where credential.id = ${credentialId} and account.id = ${accountId}',
    instead: 'where credential.id = ${credentialId}',
    bug: 'a client id with another account gives a token',
    tests: { 'test/accounts/oauth.test.ts': ['401: wrong credentials all look alike'] },
  },
  {
    file: 'src/accounts/store.ts',
    line: 'where partner_seller.partner_id = ${partnerId} and account.id = any(${ids}::text[])`;',
    instead: 'where account.id = any(${ids}::text[])`;',
    bug: 'a cart may have sellers of another partner',
    tests: { 'test/marketplace/create.test.ts': ['foreign sellers'] },
  },
  {
    file: 'src/accounts/store.ts',
    line: 'return sql.maybeOne(posTable.read)`select * from pos where id = ${id} and account_id = ${accountId}`;',
    instead: 'return sql.maybeOne(posTable.read)`select * from pos where id = ${id}`;',
    bug: "a transaction at another merchant's point of sale",
    tests: { 'test/marketplace/create.test.ts': ['points of sale'] },
  },
  {
    file: 'src/accounts/store.ts',
    line: 'and (newer.created_at, newer.place) > (older.created_at, older.place))`;',
    instead: 'and (newer.created_at, newer.place) >= (older.created_at, older.place))`;',
    bug: 'dropping the older secret drops the newest too',
    tests: { 'test/accounts/oauth.test.ts': ['rotation'] },
  },
  {
    file: 'src/accounts/authenticate.ts',
    line: "readOnly: row.credentialKind === 'read_only',",
    instead: "readOnly: row.credentialKind === 'read_only' && account.id === row.account.id,",
    bug: "a partner's read-only key writes for a seller",
    tests: { 'test/accounts/merchant-header.test.ts': ['403: a read-only key of a partner, for its seller'] },
  },
  {
    file: 'src/accounts/authenticate.ts',
    line: 'return age >= 0 && age < freshMilliseconds && entry.expiresAt > now ? entry : undefined;',
    instead: 'return age < freshMilliseconds && entry.expiresAt > now ? entry : undefined;',
    bug: 'a revoked token works as long as the clock is behind',
    tests: { 'test/accounts/oauth.test.ts': ['401 although the clock was set back'] },
  },
  {
    file: 'src/accounts/authenticate.ts',
    line: 'const freshMilliseconds = 900;',
    instead: 'const freshMilliseconds = 90_000;',
    bug: 'a revoked credential works for another minute',
    tests: { 'test/accounts/oauth.test.ts': ['401 within a second of the revocation of the credential'] },
  },
  {
    file: 'src/accounts/authenticate.ts',
    line: "const id = row.account.kind === 'partner' ? idFrom<AccountId>(merchantId) : undefined;",
    instead: 'const id = idFrom<AccountId>(merchantId);',
    bug: 'an account that has left the partner program acts for its sellers',
    tests: { 'test/accounts/merchant-header.test.ts': [] },
    unnoticed: 'a partner with sellers cannot leave the program, so that no other account has sellers',
  },
  {
    file: 'src/accounts/prices/prices.ts',
    line: "if (from && Temporal.Instant.compare(from, now) < 0) refuse('not_valid', 'validFrom', 'Must not be in the past.');",
    instead:
      "if (from && Temporal.Instant.compare(from, now) < -1) refuse('not_valid', 'validFrom', 'Must not be in the past.');",
    bug: 'a price of the past ends as an error of the database',
    tests: { 'test/accounts/prices.test.ts': ['are only followed'] },
  },
  {
    file: 'src/accounts/prices/prices.ts',
    line: "    price.maximumMinor ?? '*',",
    instead: "    '*',",
    bug: 'somebody who writes to the database raises the maximum of a price unnoticed',
    tests: { 'test/verification/damages.test.ts': ['each is noticed by the schema, or by verify with its sentence'] },
  },
  {
    file: 'src/accounts/prices/prices.ts',
    line: '    price.id,',
    instead: '',
    bug: 'an old price is put back with its signature',
    tests: { 'test/accounts/prices.test.ts': ['are not put back'] },
  },
  {
    file: 'src/accounts/prices/prices.ts',
    line: "  [id, accountId, listId ?? '*',",
    instead: "  [id * 0n, accountId, listId ?? '*',",
    bug: 'an old price list is given again with its signature',
    tests: { 'test/accounts/prices.test.ts': ['are not put back'] },
  },
  {
    file: 'sql/0002_accounts.sql',
    line: "mac text not null constraint price_mac unique check (mac <> ''),",
    instead: "mac text not null check (mac <> ''),",
    bug: 'the database takes a signed price a second time',
    tests: { 'test/accounts/prices.test.ts': ['are not put back'] },
  },
  {
    file: 'src/transactions/store/verify.ts',
    line: '(charge.price_id is null and coalesce(booked.fee, 0) = 0 or',
    instead: '(charge.price_id is null or',
    bug: 'any fee passes once its payment names no price',
    tests: { 'test/accounts/prices.test.ts': ['are named by each fee'] },
  },
  {
    file: 'src/refunds/store/verify.ts',
    line: 'else refund.fee_minor > 0 and not exists (',
    instead: 'else false and not exists (',
    bug: 'any fee passes once its refund names no price',
    tests: { 'test/accounts/prices.test.ts': ['are named by each fee'] },
  },
  {
    file: 'src/banking/charges/settle.ts',
    line: "  if (settled.step.kind !== 'correct') return settled;",
    instead: '  if (settled.step.kind !== undefined) return settled;',
    bug: 'no fee names its price, so that verify cannot compute it again',
    tests: { 'test/accounts/prices.test.ts': ['of an account'] },
  },
];
