// The forms of the methods, and the choice between them.

import type { TestValue } from '../../acquirer/index.ts';
import { type Brand, brands, decimalText } from '../../kernel/index.ts';
import { type FormKind, type Method, methods, picturePath, type VendorFields } from '../../methods/index.ts';
import { nextAttempt } from '../../transactions/index.ts';
import { type Html, html, type Part } from '../html.ts';
import { cardFieldsScriptUrl } from './assets.ts';
import { type PayScene, pageUrl, perLanguage, type Step } from './layout.ts';
import type { Before } from './rules.ts';
import type { Words } from './words/index.ts';

/** What is wrong with a submitted field. */
export type FieldFault = keyof typeof fieldOf;

/** The field that each fault is about. */
const fieldOf = {
  blik: 'blik',
  missing: 'number',
  brand: 'number',
  number: 'number',
  expiry: 'expiry',
  expired: 'expiry',
  code: 'code',
  longCode: 'code',
  token: 'card-fields',
  email: 'email',
} as const;

/** Longer lists can be searched. */
const banksAtOnce = 8;

/** A form that was sent and not taken. */
export interface Sent {
  readonly faults: readonly FieldFault[];
  readonly typedEmail: string;
}

export const nothingSent: Sent = { faults: [], typedEmail: '' };

export interface FormOptions extends Sent {
  readonly before: Before;
  readonly others: boolean;
  /** The public card key, without PEM lines. */
  readonly cardKey: string;
  /** Their ids: CARD_BRANDS. */
  readonly cardBrands: readonly string[];
}

const chevron = html`<svg class="chevron" viewBox="0 0 16 16" aria-hidden="true"><path d="M6 3l5 5-5 5"/></svg>`;
const warning = html`<svg class="sign" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="9"/><path d="M10 5v6M10 14v.5"/></svg>`;

const walletSign = html`<svg class="wallet-sign" viewBox="0 0 24 24" aria-hidden="true"><rect x="3" y="7" width="13" height="11" rx="2"/><path d="M3 11h13M18 10a4 4 0 0 1 0 5M20.5 8a7.5 7.5 0 0 1 0 9"/></svg>`;

/** Icon, name and hint of a method. */
function faceOf(method: Method) {
  return perLanguage((_text, language) => {
    const { name, hint } = method.words[language];
    return html`<img src="${picturePath(method)}" alt="" width="48" height="48"><span class="name">${name}</span><span class="hint">${hint}</span>${chevron}`;
  });
}

const methodFaces = new Map(methods.map((method) => [method.id, faceOf(method)]));

export function chooseStep(scene: PayScene, offered: readonly Method[], before: Before): Step {
  const { text } = scene;
  const items = offered.map(
    ({ id, form }) =>
      html`<li${form === 'wallet' && walletAttributes(scene)}><a class="method" href="${pageUrl(scene, `method=${id}`)}"${form === 'card' && ownDocument(scene)}>${methodFaces.get(id)?.(scene.language)}</a></li>`,
  );
  const list = html`<ul class="methods">${items}</ul>`;
  const content = [notices(scene, before), offered.length > 0 ? list : html`<p>${text.noMethod}</p>`, leave(scene)];
  const head = offered.some(({ form }) => form === 'wallet') ? { head: scene.walletHead } : {};
  return { title: text.choose, news: newsOf(scene, before), content, elsewhere: true, ...head };
}

/** A page with the fields of an acquirer has a policy of its own, so it is loaded, and not shown in the one before. */
function ownDocument({ view, frame }: PayScene): Part {
  return view.vendorFields && !frame && html` target="_self"`;
}

const forms: Readonly<Record<FormKind, (scene: PayScene, method: Method, options: FormOptions) => Step>> = {
  blik: blikStep,
  card: cardStep,
  wallet: walletStep,
  transfer: transferStep,
  redirect: redirectStep,
};

export function methodStep(scene: PayScene, method: Method, options: FormOptions): Step {
  const { title, content, head, origins } = forms[method.form](scene, method, options);
  const others =
    options.others && html`<p class="others"><a href="${pageUrl(scene, 'method=all')}">${scene.text.otherWays}</a></p>`;
  const shown = [notices(scene, options.before), faultsNotice(scene, options.faults), content, others, leave(scene)];
  const news = newsOf(scene, options.before, options.faults);
  return { title, news, content: shown, elsewhere: true, ...(head && { head }), ...(origins && { origins }) };
}

/** Read out first when the page opens, and visible among other tabs. */
function newsOf({ text }: PayScene, { declined }: Before, faults: readonly FieldFault[] = []): string | undefined {
  if (faults.length > 0) return text.faults.title;
  return declined && text.declinedTitle;
}

function notices(scene: PayScene, { declined, open }: Before): Part {
  const { text, view, path, frame } = scene;
  const confirmable = view.lastAttempt?.state === 'waiting' && view.lastAttempt.link !== null;
  const target = frame && html` target="_top"`;
  return [
    declined && declinedNotice(text.declined, text.reasons[declined]),
    open &&
      html`<p class="notice">${text.stillOpen}${confirmable && html` <a href="${path}/bank"${target}>${text.confirm.go}</a>`}</p>`,
  ];
}

function declinedNotice(title: string, reason: Part): Html {
  return html`<div class="notice bad" role="alert">${warning}<div><strong>${title}</strong><p>${reason}</p></div></div>`;
}

/** All that is wrong with what was sent, with links to the fields. */
function faultsNotice({ text }: PayScene, faults: readonly FieldFault[]): Part {
  if (faults.length < 2) return undefined;
  const items = faults.map((fault) => {
    return html`<li><a href="#${fieldOf[fault]}">${text.faults[fault]}</a></li>`;
  });
  return html`<div class="notice bad" role="alert">${warning}<div><strong>${text.faults.title}</strong><ul>${items}</ul></div></div>`;
}

/** The hidden field is the one-time key: the same form starts one attempt, however often it is sent. */
function form(scene: PayScene, { id }: Method, fields: Part, attributes: Part = ''): Html {
  return html`<form method="post" action="${pageUrl(scene)}" novalidate${attributes} data-sending="${scene.text.sending}">
<input type="hidden" name="method" value="${id}">
<input type="hidden" name="attempt" value="${nextAttempt(scene.view)}">
<input type="hidden" name="lang" value="${scene.language}">
${fields}
</form>`;
}

function payButton(scene: PayScene): Html {
  return html`<button class="main">${scene.text.pay(scene.amount)}</button>`;
}

/** In a frame the script decides: a form must not take the cursor from the page around it. */
type Focus = 'page' | 'frame' | false;

function focusOf({ frame }: PayScene): Focus {
  return frame ? 'frame' : 'page';
}

const focusMarks = { page: html` autofocus`, frame: html` data-focus` };

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault: string | undefined;
  /** Further attributes of the input. */
  readonly attributes: Html;
  /** Shown by the page's script if the field is invalid. */
  readonly wrong: string;
  /** Whether the cursor is there when the page opens. */
  readonly focused?: Focus;
  /** Within the field, for the page's script. */
  readonly beside?: Html;
  readonly below?: Html;
}

function field({ name, label, hint, fault, attributes, wrong, focused = false, beside, below }: Field): Html {
  const described = [hint !== undefined && `${name}-hint`, `${name}-fault`].filter(Boolean).join(' ');
  const invalid = fault !== undefined && html` aria-invalid="true"`;
  return html`<div class="field ${name}">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" required aria-describedby="${described}" data-wrong="${wrong}" ${attributes}${invalid}${focused && focusMarks[focused]}>${beside}
${below}${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<p class="fault" id="${name}-fault">${fault}</p>
</div>`;
}

type FieldName = (typeof fieldOf)[FieldFault];

/** The cursor goes to the first field that is wrong, or to the first one. */
function isFirst([wrong]: readonly FieldFault[], name: FieldName, first: FieldName): boolean {
  return name === (wrong === undefined ? first : fieldOf[wrong]);
}

function faultText(text: Words, faults: readonly FieldFault[], name: FieldName): string | undefined {
  const found = faults.find((fault) => fieldOf[fault] === name);
  return found && text.faults[found];
}

function blikField(text: Words, focused: Focus, fault?: string | undefined): Html {
  return field({
    name: 'blik',
    label: text.blik.label,
    hint: text.blik.hint,
    fault,
    wrong: text.faults.blik,
    attributes: html`inputmode="numeric" autocomplete="one-time-code" maxlength="7" placeholder="000 000" data-digits="6"`,
    focused,
    beside: html`<button class="paste" type="button" hidden>${text.blik.paste}</button>`,
  });
}

const cleanBlikFields = {
  page: perLanguage((text) => blikField(text, 'page')),
  frame: perLanguage((text) => blikField(text, 'frame')),
};

function blikStep(scene: PayScene, method: Method, { faults }: FormOptions): Step {
  const { text, language } = scene;
  const clean = cleanBlikFields[scene.frame ? 'frame' : 'page'];
  const code = faults.length > 0 ? blikField(text, focusOf(scene), faultText(text, faults, 'blik')) : clean(language);
  const content = [form(scene, method, [code, payButton(scene)]), testValues(scene, method)];
  return { title: text.blik.title, content };
}

function cardFields(text: Words, { faults, cardBrands }: FormOptions, focus: Focus): Html {
  const focused = (name: FieldName) => isFirst(faults, name, 'number') && focus;
  const number = field({
    name: 'number',
    label: text.card.number,
    fault: faultText(text, faults, 'number'),
    wrong: text.faults.number,
    attributes: html`inputmode="numeric" autocomplete="cc-number" maxlength="23" placeholder="0000 0000 0000 0000" data-card="number" data-missing="${text.faults.missing}" data-brand="${text.faults.brand}" data-brands="${brandsForScript(cardBrands)}"`,
    focused: focused('number'),
    beside: html`<span class="card-brand" aria-live="polite"></span>`,
    below: brandList(text, cardBrands),
  });
  const expiry = field({
    name: 'expiry',
    label: text.card.expiry,
    fault: faultText(text, faults, 'expiry'),
    wrong: text.faults.expiry,
    attributes: html`inputmode="numeric" autocomplete="cc-exp" maxlength="9" placeholder="${text.card.expiryShape}" data-card="expiry" data-expired="${text.faults.expired}"`,
    focused: focused('expiry'),
  });
  const accepted = brands.filter(({ id }) => cardBrands.includes(id));
  const { codeHint, codeHints } = text.card;
  const hint = accepted.every(({ codeDigits }) => codeDigits === 3) ? codeHints[3] : codeHint;
  const code = field({
    name: 'code',
    label: text.card.code,
    hint,
    fault: faultText(text, faults, 'code'),
    wrong: text.faults.code,
    attributes: html`inputmode="numeric" autocomplete="cc-csc" maxlength="4" placeholder="000" data-card="code" data-long="${text.faults.longCode}" data-hint="${hint}" data-hint-3="${codeHints[3]}" data-hint-4="${codeHints[4]}"`,
    focused: focused('code'),
  });
  return html`${number}<div class="pair">${expiry}${code}</div>`;
}

/** For the page's script, which recognizes them while somebody types. */
function brandsForScript(accepted: readonly string[]): string {
  const known = ({ id, name, start, groups, codeDigits }: Brand) => ({
    name,
    start: start.source,
    groups,
    codeDigits,
    accepted: accepted.includes(id),
  });
  return JSON.stringify(brands.map(known));
}

function brandList(text: Words, accepted: readonly string[]): Html {
  const items = brands.filter(({ id }) => accepted.includes(id)).map(({ name }) => html`<li>${name}</li>`);
  return html`<ul class="brands" aria-label="${text.card.accepted}">${items}</ul>`;
}

function cardStep(scene: PayScene, method: Method, options: FormOptions): Step {
  const { text } = scene;
  const { vendorFields } = scene.view;
  if (vendorFields)
    return scene.frame ? elsewhereStep(scene, method) : vendorStep(scene, method, vendorFields, options);
  const { cardKey } = options;
  const fields = [
    cardFields(text, options, focusOf(scene)),
    html`${saveBox(scene)}
<input type="hidden" name="card" value="">`,
    payButton(scene),
    html`<p class="promise" data-encrypted="${text.card.encrypted}">${text.card.direct}</p>`,
  ];
  const content = [form(scene, method, fields, html` data-key="${cardKey}"`), testValues(scene, method)];
  return { title: text.card.title, content };
}

function saveBox({ text, view }: PayScene): Html {
  return html`<p class="check"><input type="checkbox" id="save" name="save" value="1"><label for="save">${text.card.save(view.merchant.name)}</label></p>`;
}

/** Card fields are shown in no frame within a frame: the payer goes on at the page itself. */
function elsewhereStep(scene: PayScene, { id }: Method): Step {
  const { title, vendor } = scene.text.card;
  const content = html`<p>${vendor.elsewhere}</p>
<p><a class="main" href="${scene.path}?method=${id}" target="_top">${vendor.go}</a></p>`;
  return { title, content };
}

/**
 * The card fields of an acquirer, in a frame of its own, so that no number comes here. Hidden until the page's script has
 * loaded that of the acquirer; without it, the payer reads that the form cannot be shown.
 */
function vendorStep(
  scene: PayScene,
  method: Method,
  { acquirer, kind, script, publicKey, origins }: VendorFields,
  { faults }: FormOptions,
): Step {
  const { text, language, view } = scene;
  const { vendor, title } = text.card;
  const { minor, currency } = view.transaction.amount;
  const [fault] = faults;
  const place = html`<div class="card-fields" data-kind="${kind}" data-script="${script}" data-key="${publicKey}" data-amount="${String(minor)}" data-currency="${currency.toLowerCase()}" data-language="${language}">
<p class="hint" role="status">${vendor.loading}</p>
<div id="card-fields"></div>
<p class="fault" id="card-fields-fault" role="alert">${fault && text.faults[fault]}</p>
</div>
<input type="hidden" name="fields" value="${acquirer}">
<input type="hidden" name="token" value="">`;
  const content = [
    form(
      scene,
      method,
      [place, saveBox(scene), payButton(scene), html`<p class="promise">${vendor.direct}</p>`],
      html` hidden`,
    ),
    html`<p class="notice without-fields" role="alert" hidden>${vendor.missing}</p>
<noscript><p class="notice">${vendor.missing}</p></noscript>`,
    testValues(scene, method),
  ];
  const head = html`<meta name="card-fields" content="${acquirer}">
<script type="module" src="${cardFieldsScriptUrl}"></script>\n`;
  return { title, content, head, origins };
}

const tiles = 6;
const bankGrid = cachedBy((banks: readonly string[]) => {
  const items = banks.map(
    (name, index) =>
      html`<li><button class="method" name="bank" value="${index}"><span class="tile tile-${index % tiles}" aria-hidden="true">${name.split(' ').at(-1)?.slice(0, 1)}</span><span class="name">${name}</span></button></li>\n`,
  );
  return html`<ul class="banks">${items}</ul>`;
});

/** Hidden until the page's script can search. */
function bankSearch(scene: PayScene, banks: readonly string[]): Part {
  const { search, found } = scene.text.transfer;
  if (banks.length <= banksAtOnce) return undefined;
  const focus = focusOf(scene);
  return html`<div class="bank-search field" hidden>
<label for="bank-search">${search}</label>
<input type="search" id="bank-search" autocomplete="off"${focus && focusMarks[focus]}>
<p class="hint" role="status" data-text="${found}"></p>
</div>`;
}

/** If the acquirer requires it and the merchant did not send it. */
function emailField(scene: PayScene, { id, form: kind }: Method, { faults, typedEmail }: FormOptions): Part {
  const { text, view } = scene;
  if (!view.emailChannels?.includes(id)) return undefined;
  const page = kind === 'transfer' ? view.shown?.transferPage : undefined;
  return field({
    name: 'email',
    label: text.email.label,
    hint: page === undefined ? text.email.hint : text.email.neededBy(page),
    fault: faultText(text, faults, 'email'),
    wrong: text.faults.email,
    attributes: html`type="email" autocomplete="email" maxlength="254" value="${typedEmail}"`,
    focused: focusOf(scene),
  });
}

function transferStep(scene: PayScene, method: Method, options: FormOptions): Step {
  const { title, hint, notListed } = scene.text.transfer;
  const { banks = [] } = scene.view.shown ?? {};
  const email = emailField(scene, method, options);
  if (banks.length === 0) return transferAwayStep(scene, method, email);
  const other = options.others && html` <a href="${pageUrl(scene, 'method=all')}">${scene.text.otherWays}</a>`;
  const missing = html`<details class="not-listed"><summary class="fold">${notListed.title}</summary><p>${notListed.text}${other}</p></details>`;
  return {
    title,
    content: [html`<p>${hint}</p>`, bankSearch(scene, banks), form(scene, method, [email, bankGrid(banks)]), missing],
  };
}

/** The bank is chosen on a page of the acquirer, or of those who make its transfers. */
function transferAwayStep(scene: PayScene, method: Method, email: Part): Step {
  const { hint, go, away } = scene.text.transfer;
  const page = scene.view.shown?.transferPage;
  const [what, button] = page === undefined ? [hint, go] : [away.hint(page), away.go(page)];
  const fields = [email, html`<button class="main">${button}</button>`];
  return { title: away.title, content: [html`<p>${what}</p>`, form(scene, method, fields)] };
}

/** Hidden until the page's script finds the session object that devices of the vendor provide. */
function walletAttributes({ walletObject }: PayScene): Html {
  return html` hidden data-session-object="${walletObject}"`;
}

function walletStep(scene: PayScene): Step {
  const { text, path, view, walletHead: head } = scene;
  const { amount } = view.transaction;
  const attributes = html`${walletAttributes(scene)} data-path="${path}" data-attempt="${nextAttempt(view)}" data-amount="${decimalText(amount.minor)}" data-label="${view.merchant.name}" data-failed="${text.wallet.failed}"`;
  const content = html`<div class="wallet"${attributes}>
<p>${text.wallet.hint}</p>
<button class="main" type="button">${walletSign}${text.wallet.go}</button>
<p class="fault" role="alert"></p>
</div>
<p class="without-wallet notice">${text.wallet.missing}</p>`;
  return { title: text.wallet.title, content, head };
}

/** A button that leads to the acquirer, with the words of the method. */
function redirectStep(scene: PayScene, method: Method, options: FormOptions): Step {
  const { name, form: texts } = method.words[scene.language];
  const { title, hint, go } = texts ?? { title: name, hint: '', go: name };
  const fields = [emailField(scene, method, options), html`<button class="main">${go}</button>`];
  return { title, content: [html`<p>${hint}</p>`, form(scene, method, fields)] };
}

/** Made once for each list that an acquirer shows. */
function cachedBy<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, Made>();
  return (key) => {
    const present = made.get(key) ?? make(key);
    made.set(key, present);
    return present;
  };
}

const valuesHtml = cachedBy((values: readonly TestValue[]) =>
  perLanguage((text) => {
    const rows = values.map(([value, leadsTo]) => {
      const meaning = 'outcome' in leadsTo ? text.outcomes[leadsTo.outcome] : leadsTo.with;
      return html`<div><dt><code>${value}</code></dt><dd>${meaning}</dd></div>`;
    });
    return html`<details class="values"><summary>${text.testValues}</summary><dl>${rows}</dl></details>`;
  }),
);

/** Of the acquirer that takes the method, where no real money moves. */
function testValues({ sandbox, view, language }: PayScene, { method }: Method): Part {
  const values = sandbox ? view.shown?.testValues[method] : undefined;
  return values && values.length > 0 && valuesHtml(values)(language);
}

/** The way out: back to the shop if it gave a URL for that. */
export function leave({ text, view, path, frame }: PayScene): Part {
  // The page around a frame has its own way out.
  if (frame) return undefined;
  const label = view.transaction.errorUrl === null ? text.cancel.linkWithoutShop : text.cancel.link;
  return html`<p class="leave"><a href="${path}/cancel">${label}</a></p>`;
}
