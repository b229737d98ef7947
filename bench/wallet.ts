// Verifying and decrypting payment tokens, against the sum of the elliptic-curve operations that it needs: three ECDSA
// verifications and one ECDH on P-256, with keys already parsed. Rounds are short and interleaved; figures are medians
// of the rounds, the ratio is the median of the ratios within each round.

import { createPrivateKey, diffieHellman, generateKeyPairSync, sign, verify } from 'node:crypto';
import { money } from '../src/kernel/index.ts';
import { systemRandom } from '../src/runtime/index.ts';
import { mintToken, openVendor, type TokenOrder } from '../src/simulators/index.ts';
import { checkProcessingCertificate, makeSigningRequest, openToken, readRoots } from '../src/wallet/index.ts';
import { median, say } from './support/figures.ts';
import { watchOthers } from './support/machine.ts';

const rounds = 15;
const perRound = 200;
const warmUpRounds = 10;
const goal = 3;
/** If other processes use more than this share of the machine, the figures mean little. */
const tolerable = 0.15;
const at = Temporal.Instant.from('2026-03-04T10:11:12Z');
const identifier = 'merchant.com.example.bench';
/** About the size of a certificate or the signed attributes. */
const signedBytes = 400;

interface Side {
  readonly title: string;
  readonly once: (index: number) => void;
  readonly microseconds: number[];
}

export async function measureWallet(): Promise<boolean> {
  const sides = [
    { title: '(a) bare curve operations', once: bareOperations(), microseconds: [] as number[] },
    { title: 'Grosz, a token in DER', once: tokens('der'), microseconds: [] as number[] },
    { title: 'Grosz, a token in BER', once: tokens('ber'), microseconds: [] as number[] },
  ] as const;
  for (let round = 0; round < warmUpRounds; round += 1) for (const side of sides) runRound(side);
  const others = await watchOthers(async () => [process.pid]);
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) side.microseconds.push(runRound(side));
  }
  return report(sides, (await others.share()) ?? 0);
}

/** CPU microseconds for one: nothing here waits, and CPU time is affected less by other processes. */
function runRound({ once }: Side): number {
  const began = process.cpuUsage();
  for (let index = 0; index < perRound; index += 1) once(index);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / perRound;
}

function bareOperations(): () => void {
  const message = Buffer.from(systemRandom().bytes(signedBytes));
  const signers = Array.from({ length: 3 }, () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    return { publicKey, signature: sign('sha256', message, privateKey) };
  });
  const mine = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const device = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return () => {
    for (const { publicKey, signature } of signers) {
      if (!verify('sha256', message, publicKey, signature)) throw new Error('A signature does not hold.');
    }
    diffieHellman({ privateKey: mine.privateKey, publicKey: device.publicKey });
  };
}

/** Opens tokens in turn, each a different one. */
function tokens(encoding: 'der' | 'ber'): (index: number) => void {
  const vendor = openVendor(Buffer.from('bench'));
  const request = makeSigningRequest(identifier);
  const { publicKey } = request;
  const issued = vendor.issueProcessing(request.csr, identifier, at) ?? '';
  const checked = checkProcessingCertificate(issued, { merchantIdentifier: identifier, publicKey }, at);
  const roots = readRoots(vendor.rootPem);
  if ('faults' in checked || 'fault' in roots) throw new Error('The vendor does not work.');
  const { publicKeyHash, merchantIdentifierHash } = checked;
  const order: TokenOrder = {
    amount: money(1_000n, 'PLN'),
    card: { number: '4111111111111111', expires: '310731' },
    signedAt: at,
    publicKey,
    merchantIdentifierHash,
    encoding,
    random: systemRandom(),
  };
  const privateKey = createPrivateKey(request.privateKey.reveal());
  const certificates = [{ certificateId: 'bench', publicKeyHash, privateKey, merchantIdentifierHash }];
  const minted = Array.from({ length: perRound }, () => mintToken(vendor, order));
  return (index) => {
    const token = minted[index] ?? '';
    const result = openToken({ token, receivedAt: at, roots, certificates, expected: order.amount });
    if (result.outcome !== 'accepted') throw new Error(`A token was not accepted: ${result.reason}.`);
  };
}

function report(sides: readonly [Side, Side, Side], othersShare: number): boolean {
  const [bare, der, ber] = sides;
  let table = `\n${rounds} rounds of ${perRound}\n\n`;
  for (const { title, microseconds } of sides)
    table += `${title.padEnd(32)}${median(microseconds).toFixed(0).padStart(8)} µs\n`;
  if (othersShare > tolerable) table += '\nOther processes were busy meanwhile: these figures say little.\n';
  process.stdout.write(`${table}\nGoals\n\n`);
  const met = [der, ber].map(({ title, microseconds }) => {
    const ratio = median(microseconds.map((value, round) => value / (bare.microseconds[round] ?? value)));
    return say(ratio <= goal, `${title}: at most ${goal} times (a)`, ratio.toFixed(2));
  });
  return met.every(Boolean);
}
