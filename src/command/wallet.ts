// grosz wallet: domains and certificates for wallet payments; in the sandbox also what the simulated vendor does.

import { readFile, writeFile } from 'node:fs/promises';
import { domainSentences } from '../../contract/codes/english/domains.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { deviceCardNames } from '../../contract/sandbox.ts';
import { isMerchantIdentifier } from '../../contract/wallet.ts';
import { findMainPos } from '../accounts/index.ts';
import type { Rooms } from '../capabilities.ts';
import { type AccountId, idFrom, minorFromDecimal, money, type PosId, Refusal, Unavailable } from '../kernel/index.ts';
import { StartFault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import type { Wallet } from '../wallet/index.ts';
import { withService } from './books.ts';
import { changing } from './changing.ts';
import { type Command, type Invocation, optionText } from './command.ts';

interface Stage {
  readonly tools: Tools;
  readonly wallet: Wallet;
  readonly devices: Rooms['devices'];
  readonly invocation: Invocation;
}

type Action = (stage: Stage, words: readonly string[]) => Promise<void>;

const help = 'See: grosz wallet --help';

async function merchantOf({ tools }: Stage, text = ''): Promise<{ id: AccountId; posId: PosId }> {
  const id = idFrom<AccountId>(text);
  if (!id) throw new StartFault(`Missing or invalid account id. ${help}`);
  const posId = await findMainPos(tools.db.sql, id);
  if (!posId) throw new StartFault(`There is no account ${id}. See: grosz merchant list`);
  return { id, posId };
}

/** With an entry in the audit log; `action` is the endpoint that does the same. */
function change<T>({ tools, invocation }: Stage, action: string, accountId: AccountId, run: () => Promise<T>) {
  return changing(tools, invocation, { command: 'wallet', action, accountId }, run);
}

/** The arguments after the account, exactly those named. */
function given<Name extends string>(words: readonly string[], ...names: readonly Name[]): Record<Name, string> {
  if (words.length !== names.length || words.includes(''))
    throw new StartFault(`Expected ${names.length === 0 ? 'nothing else' : names.join(' and ')}. ${help}`);
  return Object.fromEntries(names.map((name, index) => [name, words[index]])) as Record<Name, string>;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new StartFault(`${path} cannot be read.`, { cause: error });
  }
}

/** Writes to the file given by --out, or prints. */
async function saveOrPrint({ invocation }: Stage, text: string, savedText: (path: string) => string): Promise<void> {
  const path = optionText(invocation, 'out');
  if (path === undefined) return invocation.print(text.trimEnd());
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new StartFault(`${path} cannot be written.`, { cause: error });
  }
  invocation.print(savedText(path));
}

function identifierFrom(text: string): string {
  if (isMerchantIdentifier(text)) return text;
  throw new StartFault(`"${text}" is not a merchant identifier. It must look like merchant.com.example.shop.`);
}

const domains: Readonly<Record<string, Action>> = {
  async list(stage, [merchant, ...words]) {
    const { id } = await merchantOf(stage, merchant);
    given(words);
    for (const { domainName, createdAt } of await stage.wallet.domains.list(id))
      stage.invocation.print(`${domainName}  since ${createdAt}`);
  },
  async add(stage, [merchant, ...words]) {
    const account = await merchantOf(stage, merchant);
    const { DOMAIN } = given(words, 'DOMAIN');
    const { domainName } = await change(stage, 'W2', account.id, () => stage.wallet.domains.add(account, DOMAIN));
    stage.invocation.print(`Registered: ${domainName}`);
  },
  async remove(stage, [merchant, ...words]) {
    const { id } = await merchantOf(stage, merchant);
    const { DOMAIN } = given(words, 'DOMAIN');
    await change(stage, 'W3', id, () => stage.wallet.domains.remove(id, DOMAIN));
    stage.invocation.print(`Removed: ${DOMAIN.toLowerCase()}`);
  },
  async check(stage, [merchant, ...words]) {
    const { id } = await merchantOf(stage, merchant);
    const { DOMAIN } = given(words, 'DOMAIN');
    const { passed, rules } = await stage.wallet.domains.check(id, DOMAIN);
    for (const { rule, passed: rulePassed, result } of rules) {
      const detail = sentenceOf(domainSentences, result);
      stage.invocation.print(`${rulePassed ? 'passed' : 'failed'}  ${rule.padEnd(16)}  ${detail}`);
    }
    if (!passed) throw new StartFault('The domain cannot start wallet sessions yet.');
  },
};

function printCertificate({ invocation }: Stage, certificate: Listed): void {
  const { certificateId, status, merchantIdentifier, expiresAt } = certificate;
  const until = expiresAt === null ? '' : `  until ${expiresAt}`;
  invocation.print(`${certificateId}  ${status.padEnd(9)}  ${merchantIdentifier}${until}`);
}

type Listed = Awaited<ReturnType<Wallet['certificates']['list']>>[number];

function certificateId(text: string): string {
  const id = idFrom(text);
  if (!id) throw new StartFault(`"${text}" is not the id of a certificate. See: grosz wallet certificates list`);
  return id;
}

const certificates: Readonly<Record<string, Action>> = {
  async list(stage, [merchant, ...words]) {
    const { id } = await merchantOf(stage, merchant);
    given(words);
    for (const certificate of await stage.wallet.certificates.list(id)) printCertificate(stage, certificate);
  },
  async request(stage, [merchant, ...words]) {
    const { id } = await merchantOf(stage, merchant);
    const { IDENTIFIER } = given(words, 'IDENTIFIER');
    const identifier = identifierFrom(IDENTIFIER);
    const made = await change(stage, 'W5', id, () => stage.wallet.certificates.request(id, identifier));
    await saveOrPrint(stage, made.csr, (path) => `${made.certificateId}  requested  ${path}`);
  },
  async upload(stage, [merchant, ...words]) {
    const { id } = await merchantOf(stage, merchant);
    const { CERTIFICATE_ID, FILE } = given(words, 'CERTIFICATE_ID', 'FILE');
    const text = await readText(FILE);
    const certificate = certificateId(CERTIFICATE_ID);
    const upload = () => stage.wallet.certificates.upload(id, certificate, text);
    printCertificate(stage, await change(stage, 'W6', id, upload));
  },
  async revoke(stage, [merchant, ...words]) {
    const { id } = await merchantOf(stage, merchant);
    const { CERTIFICATE_ID } = given(words, 'CERTIFICATE_ID');
    const certificate = certificateId(CERTIFICATE_ID);
    const revoke = () => stage.wallet.certificates.revoke(id, certificate);
    printCertificate(stage, await change(stage, 'W8', id, revoke));
  },
};

function vendorOf({ devices }: Stage) {
  if (!devices) throw new StartFault('There is no simulated wallet vendor in live mode.');
  return devices;
}

const token: Action = async (stage, [merchant, ...words]) => {
  const vendor = vendorOf(stage);
  const { id } = await merchantOf(stage, merchant);
  const { AMOUNT } = given(words, 'AMOUNT');
  const minor = /^\d{1,10}(\.\d{1,2})?$/.test(AMOUNT) ? minorFromDecimal(Number(AMOUNT)) : undefined;
  if (!minor) throw new StartFault('AMOUNT must be a number above 0 with at most two decimals, such as 49.90.');
  const name = optionText(stage.invocation, 'card') ?? 'approved';
  const card = deviceCardNames.find((known) => known === name);
  if (!card) throw new StartFault(`--card must be one of ${deviceCardNames.join(', ')}.`);
  const merchantIdentifier = optionText(stage.invocation, 'merchant-identifier');
  const badKind = optionText(stage.invocation, 'bad');
  const wanted = { amount: money(minor, 'PLN'), card, merchantIdentifier, badKind };
  stage.invocation.print(await vendor.mint(id, wanted));
};

const issue: Action = async (stage, words) => {
  const vendor = vendorOf(stage);
  const { CSR_FILE, IDENTIFIER } = given(words, 'CSR_FILE', 'IDENTIFIER');
  const certificate = vendor.issue(await readText(CSR_FILE), identifierFrom(IDENTIFIER));
  await saveOrPrint(stage, certificate, (path) => `Issued: ${path}`);
};

function actionOf([subject = '', ...words]: readonly string[]): { action: Action; words: readonly string[] } {
  if (subject === 'token') return { action: token, words };
  if (subject === 'issue') return { action: issue, words };
  const groups = new Map(Object.entries({ domains, certificates }));
  const group = groups.get(subject);
  const [name = '', ...rest] = words;
  const action = group && Object.hasOwn(group, name) ? group[name] : undefined;
  const usage = group ? `${subject} ${Object.keys(group).join('|')} ...` : wallet.usage;
  if (!action) throw new StartFault(`Missing or unknown action. Usage: grosz wallet ${usage}\n${help}`);
  return { action, words: rest };
}

/** Turns a refusal of the API into an error message. */
function faultOf(error: unknown): unknown {
  if (error instanceof Unavailable) return new StartFault(error.sentence ?? error.code);
  if (!(error instanceof Refusal)) return error;
  const texts = error.faults.map(({ code, message, devMessage }) =>
    code === 'not_found' && message === undefined
      ? 'This account has no such domain or certificate.'
      : [message ?? code, devMessage].filter((text) => text !== undefined).join(' '),
  );
  return new StartFault(texts.join('\n'));
}

export const wallet: Command = {
  name: 'wallet',
  summary: 'Keeps domains and certificates for wallet payments; in the sandbox makes tokens.',
  usage: 'domains|certificates|token|issue ...',
  details: `Domains of web shops. MERCHANT is the id of an account (grosz merchant list).
  domains list MERCHANT
  domains add MERCHANT DOMAIN        pages of this domain may start wallet sessions
  domains remove MERCHANT DOMAIN
  domains check MERCHANT DOMAIN      fetches the domain-association file and reports every rule; exit code 1 when
                                     one fails

Certificates of mobile apps:
  certificates request MERCHANT IDENTIFIER [--out FILE]
                                     prints a certificate signing request for the wallet vendor; with --out it goes
                                     into the file and the id of the certificate is printed
  certificates upload MERCHANT CERTIFICATE_ID FILE
                                     activates the certificate that the vendor issued
  certificates list MERCHANT         newest first, with the end of validity
  certificates revoke MERCHANT CERTIFICATE_ID
                                     destroys its key; tokens made for it are refused from now on

In the sandbox, as the simulated vendor and its devices do:
  issue CSR_FILE IDENTIFIER [--out FILE]
                                     the payment-processing certificate for a signing request
  token MERCHANT AMOUNT              a token that pays AMOUNT, for walletPayPaymentData; valid for five minutes
        [--card ${deviceCardNames.join('|')}]
        [--merchant-identifier IDENTIFIER]   for an active certificate of the account, as in a mobile app
        [--bad KIND]                         that must be refused; an unknown KIND lists all kinds`,
  options: {
    out: { type: 'string' },
    card: { type: 'string' },
    bad: { type: 'string' },
    'merchant-identifier': { type: 'string' },
  },
  // The actions below these say what they expect.
  words: { domains: 3, certificates: 4, token: 2, issue: 2 },
  async run(invocation) {
    const { action, words } = actionOf(invocation.words);
    await withService(invocation, 'wallet', async ({ tools, rooms }) => {
      try {
        await action({ tools, wallet: rooms.wallet, devices: rooms.devices, invocation }, words);
      } catch (error) {
        throw faultOf(error);
      }
    });
  },
};
