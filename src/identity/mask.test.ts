import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { maskedTexts, maskedUrl, withoutSecrets } from './mask.ts';

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
    blikT6 blikPaymentData.t6 pw session SESSION sessions userSession panel_session session-key sess`;
  const ordinary = `description hiddenDescription shipping shippingAddress typing opinion spinner company companyName panel
    japan expand span optional options hotpot desktop postalCode countryCode languageCode currencyCode errorCode statusCode
    paymentErrorCode zip_code promoCode bankCode barcode dashboard postcard discard wildcard cardUrl cardBrand card_tail
    cardLast4 cardType posId transactionId recurringId externalId channelId groupId id merchantId amount name email phone
    address city secretary unitPrice quantity schedule interval firstChargeDate callbackUrl pinned topping capital
    encode decoder codec client_id clientId cidr acid decide accept incident account accNumber accountNumber ccEmail cc
    track tracking trackId trackingNumber track10 tank standard tangible blikErrorCode smsCountryCode kodPocztowy kodKraju
    codeType blikEnabled sessionCount sessionTimeout sessional possession cookieConsent keyboard verification security smsText numberOfItems
    accValue mfaEnabled blikType kodyPocztowe number ticket t6 ticketId`;
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
