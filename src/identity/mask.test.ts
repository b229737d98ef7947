import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cut, maskedTexts, maskedUrl, withoutSecrets } from './mask.ts';

const key = 'AbCdEfGhIjKlMnOpQrStUv';

// Guarantee: no card number and nothing that could pay is in what the panel logs, however it was written.
suite('what could pay is hidden', () => {
  const texts: [string, string][] = [
    ['Tea 4111 1111 1111 1111', 'Tea (hidden)'],
    ['4111\u00a01111\u00a01111\u00a01111', '(hidden)'],
    ['4111\u20091111\u202f1111\u30001111', '(hidden)'],
    ['4111\u200b1111\u20111111\u20131111', '(hidden)'],
    ['4111 - 1111 - 1111 - 1111.', '(hidden).'],
    ['４１１１１１１１１１１１１１１１', '(hidden)'],
    ['123456789012345 4111111111111111', '(hidden)'],
    ['card_0123456789abcdef', '(hidden)'],
    ['https://shop.example/?card_token=abc&order=7', 'https://shop.example/?card_token=(hidden)&order=7'],
    [`https://grosz.example/pay/01K9Z4M7Q1T4W7A0B2C5E8F9GH.${key}/status`, 'https://grosz.example/pay/(hidden)/status'],
    [
      `returnUrl=https%3A%2F%2Fgrosz.example%2Fpay%2F01K9.${key}`,
      'returnUrl=https%3A%2F%2Fgrosz.example%2Fpay%2F(hidden)',
    ],
    ['4111      1111      1111      1111', '(hidden)'],
    ['4111----1111----1111----1111', '(hidden)'],
    ['4111\u2014\u2014\u2014\u20141111\u2212\u2212\u2212\u22121111\u2010\u2011\u2012\u20131111', '(hidden)'],
    ['4111\u200b\u200c\u200d\u2060\ufeff1111\u00ad\u00ad\u00ad\u00ad1111....1111', '(hidden)'],
    ['4 1 1 1  1 1 1 1  1 1 1 1  1 1 1 1', '(hidden)'],
    ['Card: 4111/1111/1111/1111, thanks', 'Card: (hidden), thanks'],
    ['4111 , 1111 , 1111 , 1111', '(hidden)'],
    ['4111#1111*1111\u30fb1111', '(hidden)'],
    ['4:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1', '(hidden)'],
    ['3782/822463/10005', '(hidden)'],
    ['４１１１／１１１１／１１１１／１１１１', '(hidden)'],
    ['cvv=123 pin: 0000', 'cvv=(hidden) pin: (hidden)'],
    ['{"cardCvv":"123","name":"Jan', '{"cardCvv":"(hidden)","name":"Jan'],
    ['{\\"otp\\": \\"123456\\"', '{\\"otp\\": \\"(hidden)\\"'],
    ['Authorization: Bearer abc.def', 'Authorization: (hidden)'],
    ['a=1&blikCode=777123&b=2', 'a=1&blikCode=(hidden)&b=2'],
    ['kod blik: 777123', 'kod blik: (hidden)'],
    ['BLIK 777 123, dzięki', 'BLIK (hidden), dzięki'],
    ['BLIK: 777123', 'BLIK: (hidden)'],
    ['blikCode: 123 456', 'blikCode: (hidden)'],
    ['cvv：123', 'cvv：(hidden)'],
    ['BLIK 123456,00 zł, BLIK: 12 zł', 'BLIK 123456,00 zł, BLIK: 12 zł'],
    ['Postage: 12.50, shipping: 3, code: TEA-7', 'Postage: 12.50, shipping: 3, code: TEA-7'],
    ['1,000,000 / 2,000,000 / 3,000,000', '1,000,000 / 2,000,000 / 3,000,000'],
    ['10:00-12:00, 14:00-16:00', '10:00-12:00, 14:00-16:00'],
    ['12/03/2026, 13/03/2026', '12/03/2026, 13/03/2026'],
    ['2026-03-29T03:00:00.000+02:00[Europe/Warsaw]', '2026-03-29T03:00:00.000+02:00[Europe/Warsaw]'],
    ['2026-03-29 03:00:00', '2026-03-29 03:00:00'],
    ['+48 500 600 700', '+48 500 600 700'],
    ['01K9Z4M7Q1T4W7A0B2C5E8F9GH', '01K9Z4M7Q1T4W7A0B2C5E8F9GH'],
  ];
  for (const [text, shown] of texts) test(text, () => assert.equal(maskedTexts(text), shown));

  const urls: [string, string][] = [
    ['/transactions', '/transactions'],
    ['/transactions?page=2&q=a%20b+c', '/transactions?page=2&q=a%20b+c'],
    ['/transactions?q=4111+1111+1111+1111', '/transactions?q=(hidden)'],
    ['/transactions?q=4111%201111%c2%a01111%201111', '/transactions?q=(hidden)'],
    ['/transactions?q=%2534111111111111111', '/transactions?q=(hidden)'],
    ['/transactions?q=%ff4111%201111%201111%201111', '/transactions?q=\ufffd(hidden)'],
    ['/transactions?4111%201111%201111%201111', '/transactions?(hidden)'],
    ['/transactions/4111-1111-1111-1111', '/transactions/(hidden)'],
    ['/transactions/%34111111111111111?a', '/transactions/(hidden)?a'],
    ['/x?blik%43ode=777123&card%5Bnumber%5D=1&a=1', '/x?blik%43ode=(hidden)&card%5Bnumber%5D=(hidden)&a=1'],
    ['/x?cvv%252=123&q=%7B%22pin%22%3A%220000%22%7D', '/x?cvv%252=(hidden)&q={"pin":"(hidden)"}'],
    ['/x?next=%2Fa%3Fotp%3D123456%26b%3D1', '/x?next=/a?otp=(hidden)&b=1'],
    [
      '/x?access_token=a&client%5Fsecret=b=c&Password=d&clientId=e',
      '/x?access_token=(hidden)&client%5Fsecret=(hidden)&Password=(hidden)&clientId=e',
    ],
  ];
  for (const [url, shown] of urls) test(url, () => assert.equal(maskedUrl(url), shown));

  // Guarantee: a field is secret by the words in its name, however they are joined; ordinary fields are shown.
  const secret = `HAS\u0141O pswd userpwd mypin twoFactor blikCode blik_code BLIK-CODE blikcode cardCvv card_cvv CVV2 cvc cvn verificationCode verification_code
    smsCode authCode pin PIN userPin card-pin cardpin otp smsOtp one_time_password otpCode cardData card_data carddata
    cardNumber cardNo cardHolder card card[number] pan cardPan securityCode password newPassword user.password
    passphrase clientSecret webhook_secret apiKey privateKey accessToken blikToken token tokens Authorization
    authorization_header onlinePaymentCryptogram applicationPrimaryAccountNumber recoveryCodes transactionPaymentUrl
    has\u0142o kodBlik numerKarty walletToken x-api-key cardVerificationValue pi\u200bn \uff43\uff56\uff56 value code uri
    blik BLIK blikNumber blik_number codeBlik code_blik codeblik blikTicket kod codeSms kodSms kod_sms smsKod tan TAN mTAN
    mtan cvd CVD2 cid CID cav2 verificationValue pinblock pinBlock track2 track_1 track2Data magneticTrack3 trackData
    ccNumber cc_number ccnumber cc-no creditcard creditCard debitcard nrKarty kartaNumer karta_numer passwort Passwort
    encryptionKey hmacKey hmac_key privkey privKey cookie Set-Cookie sessionCookie sessionId session_id PHPSESSID
    codeVerification pincode ccv CCV cv2 CV2 cvx2 grosz_session sid connect.sid tancode cardcode kodpin authenticationcode
    kodAutoryzacyjny kodWeryfikacyjny kod_zabezpieczajacy kod_dost\u0119pu kodPotwierdzenia kodJednorazowy kody mfa 2fa 2FA
    blikT6 blikPaymentData.t6 pw session SESSION sessions userSession panel_session session-key sess
    backupCodes kodyZapasowe ccNum cc_nr cardsList cardsSaved myCode`;
  const ordinary = `description hiddenDescription shipping shippingAddress typing opinion spinner company companyName panel
    japan expand span optional options hotpot desktop postalCode countryCode languageCode currencyCode errorCode statusCode
    paymentErrorCode zip_code promoCode bankCode barcode dashboard postcard discard wildcard cardUrl cardBrand card_tail
    cardLast4 cardType posId transactionId recurringId externalId channelId groupId id merchantId amount name email phone
    address city secretary unitPrice quantity schedule interval firstChargeDate callbackUrl pinned topping capital
    encode decoder codec client_id clientId cidr acid decide accept incident account accNumber accountNumber ccEmail cc
    track tracking trackId trackingNumber track10 tank standard tangible blikErrorCode smsCountryCode kodPocztowy kodKraju
    codeType blikEnabled sessionCount sessionTimeout sessional possession cookieConsent keyboard verification security smsText numberOfItems
    codeOf codeColor cardsCount accValue mfaEnabled blikType kodyPocztowe number ticket t6 ticketId`;
  const names = (text: string) => text.split(/\s+/);
  for (const name of names(secret)) {
    test(`secret: ${name}`, () => {
      const shown = withoutSecrets({ a: [{ [name]: 'x1y2' }], b: JSON.stringify({ [name]: 'x1y2' }) });
      assert.doesNotMatch(JSON.stringify(shown), /x1y2/);
      assert.doesNotMatch(maskedUrl(`/x?a=1&${encodeURIComponent(name)}=x1y2`), /x1y2/);
    });
  }
  for (const name of names(ordinary)) {
    test(`ordinary: ${name}`, () => {
      assert.deepEqual(withoutSecrets({ [name]: 'x1y2' }), { [name]: 'x1y2' });
      assert.equal(maskedUrl(`/x?${name}=x1y2`), `/x?${name}=x1y2`);
      assert.equal(maskedTexts(`${name}=x1y2`), `${name}=x1y2`);
    });
  }

  // Guarantee: a session of anybody in a query, in which it has no business, is not logged; what is told about one is.
  test('a session', () => {
    assert.equal(maskedUrl('/transactions?session=x1y2&limit=5'), '/transactions?session=(hidden)&limit=5');
    assert.deepEqual(withoutSecrets({ session: { startedAt: 'now', id: 'a' } }), {
      session: { startedAt: 'now', id: 'a' },
    });
    assert.equal(maskedTexts('The session: at noon'), 'The session: at noon');
  });

  test('in JSON: what is known to be an object is looked into', () => {
    const value = { cardPaymentData: { card: 'x', save: true }, blikPaymentData: { blikToken: '1', aliases: [] } };
    assert.deepEqual(withoutSecrets(value), {
      cardPaymentData: { card: '(hidden)', save: true },
      blikPaymentData: { blikToken: '(hidden)', aliases: [] },
    });
    assert.deepEqual(withoutSecrets({ cardPaymentData: 'x' }), { cardPaymentData: '(hidden)' });
    assert.deepEqual(withoutSecrets({ blik: { label: 'Tea', code: '1' } }), {
      blik: { label: 'Tea', code: '(hidden)' },
    });
    for (const name of ['number', 't6', 'ticket']) {
      assert.deepEqual(withoutSecrets({ blik: { [name]: '777123' } }), { blik: { [name]: '(hidden)' } });
      const shown = { blikPaymentData: { [name]: '(hidden)' } };
      assert.deepEqual(withoutSecrets({ blikPaymentData: { [name]: 777123 } }), shown);
    }
    for (const blik of ['777123', 777123, ['777123']]) assert.deepEqual(withoutSecrets({ blik }), { blik: '(hidden)' });
  });

  // Guarantee: nothing that is long costs much, and no half of a card number is left where a text was cut.
  test('long texts are cut first', () => {
    const shown = withoutSecrets({ a: `${'tea '.repeat(998)}4111 1111 1111 1111` }) as { a: string };
    assert.match(shown.a, /tea… \(\d+ characters\)$/);
    for (const part of ['1', '1 ', '1,', 'a', 'a=', '4111,', '"', '{', '\u200b1', 'card_', '/pay/']) {
      const before = process.threadCpuUsage();
      withoutSecrets({ a: part.repeat(100_000 / part.length) });
      maskedTexts(part.repeat(8_192 / part.length));
      const { user, system } = process.threadCpuUsage(before);
      assert.ok(user + system < 50_000, `${part}: ${user + system} us`);
    }
  });

  test('in JSON: numbers, names, fields that are secret by their name', () => {
    const value = { pan: 4111111111111111, a: [4111111111111111, 12.34, 1e21], '4111111111111111': null };
    const shown = { pan: '(hidden)', a: ['(hidden)', 12.34, 1e21], '(hidden)': null };
    assert.deepEqual(withoutSecrets(value), shown);
    assert.deepEqual(withoutSecrets({ client_secret: 'a', 'access-token': 7, blikToken: { b: 1 }, name: 'c' }), {
      client_secret: '(hidden)',
      'access-token': '(hidden)',
      blikToken: '(hidden)',
      name: 'c',
    });
  });
});

suite('at the limits', () => {
  /** Begins like a card number and has its check digit. */
  const card = (length: number) => {
    for (let last = 0; last <= 9; last += 1) {
      const digits = `4${'0'.repeat(length - 2)}${last}`;
      const sum = Array.from(digits, Number)
        .toReversed()
        .reduce((all, digit, place) => all + (place % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
      if (sum % 10 === 0) return digits;
    }
    return assert.fail('no check digit');
  };
  const grouped = (digits: string, sign: string) => digits.replaceAll(/(\d{4})(?=\d{3})/g, `$1${sign}`);

  // Guarantee: card numbers have 13 to 19 digits, and the shortest and the longest are hidden like the others.
  for (const [text, shown] of [
    ['4000000000000', '(hidden)'],
    ['400000000000', '400000000000'],
    [grouped(card(13), '/'), '(hidden)'],
    [grouped(card(14), '/'), '(hidden)'],
    [grouped(card(18), '/'), '(hidden)'],
    [grouped(card(19), '/'), '(hidden)'],
    ['4111/1111/1111/1112', '4111/1111/1111/1112'],
    [grouped(card(20), '/'), grouped(card(20), '/')],
    [grouped(card(12), '/'), grouped(card(12), '/')],
    // Begin like no card: a digit that none begins with, or 21 and 28.
    ['1111/1111/1111/1117', '1111/1111/1111/1117'],
    ['2111/1111/1111/1116', '2111/1111/1111/1116'],
    ['2811/1111/1111/1119', '2811/1111/1111/1119'],
    ['1300/0000/0000/0005', '1300/0000/0000/0005'],
    ['9300/0000/0000/0008', '9300/0000/0000/0008'],
    ['2221/0000/0000/0009', '(hidden)'],
    ['2720/9999/9999/9996', '(hidden)'],
    ['5555/5555/5555/4444', '(hidden)'],
    // Groups of cards have three digits or more, unless it is spelled digit by digit.
    ['41/11/11/11/11/11/11/11', '41/11/11/11/11/11/11/11'],
    ['411/111/111/111/111/1', '411/111/111/111/111/1'],
    ['411/111/111/111/1111', '(hidden)'],
    ['4/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1', '(hidden)'],
    ['4/1/1/1/1/1/1/1/1/1/1/1/1/1/1/2', '4/1/1/1/1/1/1/1/1/1/1/1/1/1/1/2'],
    ['4111/1111/1111/1111/4111/1111/1111/1111', '(hidden)/(hidden)'],
    ['7/4111/1111/1111/1111/7', '7/(hidden)/7'],
    ['77/88/4111/1111/1111/1111', '77/88/(hidden)'],
    ['4111/1111/1111/1111/2026/2027/2028', '(hidden)/2026/2027/2028'],
  ] as const) {
    test(`${text}: ${shown}`, () => assert.equal(maskedTexts(text), shown));
  }

  for (const [text, shown] of [
    ['card_12345678', '(hidden)'],
    ['CARD_12345678', '(hidden)'],
    ['card_1234567', 'card_1234567'],
    ['pin   =   1234', 'pin   =   (hidden)'],
    ['pin    =1234', 'pin    =1234'],
    ['BLIK ------ 123456', 'BLIK ------ (hidden)'],
    ['BLIK ------- 123456', 'BLIK ------- 123456'],
    ['BLIK 123 - 456', 'BLIK (hidden)'],
    ['BLIK 123 -- 456', 'BLIK 123 -- 456'],
    ['pin=1', '(hidden)'.replace('(', 'pin=(')],
    ['pin=', 'pin='],
    ['pin=pin=12', 'pin=(hidden)'],
    ['cvv: , name: Jan', 'cvv: , name: Jan'],
  ] as const) {
    test(`${text}: ${shown}`, () => assert.equal(maskedTexts(text), shown));
  }

  for (const [url, shown] of [
    ['/x?a=4111%25252f1111%25252f1111%25252f1111', '/x?a=(hidden)'],
    ['/x?a=4111%2525252f1111%2525252f1111%2525252f1111', '/x?a=4111%2525252f1111%2525252f1111%2525252f1111'],
    ['/x?a=b=4111111111111111', '/x?a=b=(hidden)'],
    ['/x?a?b=4111111111111111', '/x?a?b=(hidden)'],
    ['/x?4111111111111111=b', '/x?(hidden)=b'],
    ['/x?a=kod+blik+777123', '/x?a=kod blik (hidden)'],
  ] as const) {
    test(`${url}: ${shown}`, () => assert.equal(maskedUrl(url), shown));
  }

  const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);
  const nestedFields = (depth: number): unknown => (depth === 0 ? 'x' : { a: nestedFields(depth - 1) });
  const texts = (count: number, length: number) => Array.from({ length: count }, () => 'x'.repeat(length));
  const fields = (count: number, length: number) =>
    Object.fromEntries(texts(count, length).map((text, index) => [`f${index}`, text]));

  // Guarantee: a large value keeps its beginning, and says how much of it is missing.
  test('depth, items, fields and characters', () => {
    assert.deepEqual(withoutSecrets(nested(8)), nested(8));
    assert.match(JSON.stringify(withoutSecrets(nested(9))), /"\.\.\."/);
    assert.deepEqual(withoutSecrets(nestedFields(8)), nestedFields(8));
    assert.match(JSON.stringify(withoutSecrets(nestedFields(9))), /"\.\.\."/);
    assert.match(JSON.stringify(withoutSecrets(JSON.stringify(nested(8)))), /\.\.\./);
    assert.equal((withoutSecrets(texts(100, 1)) as unknown[]).length, 100);
    const list = withoutSecrets(texts(101, 1)) as unknown[];
    assert.deepEqual([list.length, list.at(-1)], [101, '… (101 items)']);
    assert.equal(withoutSecrets('x'.repeat(4_000)), 'x'.repeat(4_000));
    assert.equal(withoutSecrets('x'.repeat(4_001)), `${'x'.repeat(4_000)}… (4001 characters)`);
    assert.equal(cut('ab 12', 4), 'ab');
    assert.equal(cut('ab 12', 5), 'ab 12');
    assert.equal(cut('1234', 3), '');
    assert.equal(cut('a234', 3), 'a');
  });

  test('as many values as there is room for', () => {
    const many = withoutSecrets(fields(2_100, 1)) as Record<string, unknown>;
    assert.equal(Object.keys(many).length, 2_000);
    assert.equal(many.omitted, '101 fields');
    assert.equal((withoutSecrets(fields(2_000, 1)) as Record<string, unknown>).omitted, '1 fields');
    // A tenth of the room for the first of many, half for the first of two, and the rest for the last.
    const lengths = (value: unknown) => (value as unknown[][]).map(({ length }) => length);
    const large = texts(100, 160);
    assert.deepEqual(lengths(withoutSecrets([large, large])), [92, 92]);
    assert.deepEqual(lengths(withoutSecrets([large, ...texts(30, 1)])).slice(0, 1), [19]);
    const inFields = withoutSecrets({ a: large, b: large, c: large }) as Record<string, unknown[]>;
    assert.deepEqual(
      Object.values(inFields).map(({ length }) => length),
      [62, 62, 61],
    );
    const long = withoutSecrets(texts(90, 1_600)) as unknown[];
    assert.deepEqual([long.length, long.at(-1)], [21, '… (90 items)']);
    const named = Object.fromEntries(texts(90, 1).map((text, index) => [`${index}${'n'.repeat(1_600)}`, text]));
    assert.equal(Object.keys(withoutSecrets(named) as object).length, 21);
  });

  test('names are read up to 200 characters, labels from their end', () => {
    const hidden = (name: string) => JSON.stringify(withoutSecrets({ [name]: 'x1y2' })).includes('(hidden)');
    assert.deepEqual([hidden(`${'x'.repeat(195)}token`), hidden(`${'x'.repeat(196)}token`)], [true, false]);
    assert.deepEqual([hidden(`pass${'_'.repeat(196)}x`), hidden(`pass${'_'.repeat(195)}x`)], [true, false]);
    assert.equal(maskedTexts(`${'x'.repeat(500)}token=x1y2`), `${'x'.repeat(500)}token=(hidden)`);
    assert.equal(maskedTexts('track2=x1y2 cv2=x1y2'), 'track2=(hidden) cv2=(hidden)');
  });

  test('an object that is looked into may be null', () => {
    assert.deepEqual(withoutSecrets({ blik: null, cardPaymentData: [1] }), {
      blik: '(hidden)',
      cardPaymentData: '(hidden)',
    });
  });

  test('a text that is JSON is looked into, also after spaces; one that is not is a text', () => {
    assert.equal(withoutSecrets(' {"pin":1}'), '{"pin":"(hidden)"}');
    assert.equal(withoutSecrets('5'), '5');
    assert.equal(withoutSecrets('{"number":5}'), '{"number":5}');
    assert.equal(withoutSecrets(JSON.stringify(nested(7))), JSON.stringify(nested(7)));
    assert.equal(withoutSecrets('x {"number":1}'), 'x {"number":1}');
    assert.equal(withoutSecrets('{ "number": 1'), '{ "number": 1');
    assert.deepEqual(withoutSecrets({ blik: { a: [{ number: 1 }] } }), { blik: { a: [{ number: 1 }] } });
    const json = (length: number) => JSON.stringify({ pin: 1, a: 'x'.repeat(length - 16) });
    assert.equal(withoutSecrets(json(4_000)), JSON.stringify({ pin: '(hidden)', a: 'x'.repeat(3_984) }));
    assert.match(String(withoutSecrets(json(4_001))), /^\{"pin":\(hidden\),"a":".*… \(4001 characters\)$/);
  });

  test('numbers of 13 digits that are no cards stay numbers', () => {
    assert.deepEqual(withoutSecrets([1e21, 123456789012, 4000000000006, 1.23456789012]), [
      1e21,
      123456789012,
      '(hidden)',
      1.23456789012,
    ]);
  });
});
