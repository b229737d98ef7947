// Finds sandbox tools in a live service: there must be none.

import { build } from '../../src/app.ts';
import { type Config, type Environment, readConfig } from '../../src/config.ts';
import { openService } from '../../src/open.ts';
import { openDemo, SandboxClock } from '../../src/sandbox/index.ts';
import { aFolder } from './service.ts';

const sandboxRoutes = [
  ['GET', '/sandbox/clock'],
  ['POST', '/sandbox/clock'],
  ['GET', '/sandbox/faults'],
  ['POST', '/sandbox/faults'],
  ['GET', '/mail'],
  ['GET', '/mail/:id'],
  ['POST', '/sandbox/wallet/tokens'],
  ['POST', '/sandbox/wallet/certificates'],
  ['POST', '/wallet/device/session'],
  ['POST', '/wallet/device/payment'],
  ['GET', '/wallet/device.js'],
  ['GET', '/bank/confirm/:linkId'],
  ['POST', '/bank/confirm/:linkId'],
] as const;

/** Opens a service as the commands do and lists every sandbox tool, demo account or simulated bank in it. */
export async function sandboxToolsIn(config: Config, databaseUrl: string): Promise<string[]> {
  const silent = { ...config, logLevel: 'silent', dataDir: await aFolder() };
  const service = await openService(silent, databaseUrl, { name: 'live', catchMail: true });
  try {
    const { tools, rooms } = service;
    const app = await build(tools, rooms);
    const found = sandboxRoutes
      .filter(([method, url]) => app.hasRoute({ method, url }))
      .map((route) => route.join(' '));
    await app.close();
    if (service.bank) found.push('the simulated bank');
    if (tools.clock instanceof SandboxClock) found.push('a clock that can be moved');
    if (rooms.notifications.sendsMail && !config.mail) found.push('a mail catcher');
    if (config.callbackPolicy.allowHttp || config.callbackPolicy.allowPrivate) found.push('callbacks of development');
    const demo = await openDemo(tools).catch(() => undefined);
    if (demo) found.push('demo accounts');
    return found;
  } finally {
    await service.close();
  }
}

/** Undefined if the settings are refused. */
export function configOf(environment: Environment): Config | undefined {
  try {
    return readConfig(environment);
  } catch {
    return undefined;
  }
}
