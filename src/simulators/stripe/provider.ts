// The fake as one machine: its record, its clock, its settings, and what happens by itself as time passes.

import type { Clock } from '../../runtime/index.ts';
import { type Key, keysFrom } from './access.ts';
import { type ClockChange, type ClockSetting, changeClock, machineTime, timeOf } from './clock.ts';
import { happen, planDaily } from './due.ts';
import { endpointsOf, saveEndpoints, type WebhookEndpoint } from './events.ts';
import { checkRules, Faults } from './faults.ts';
import { type AccountKeys, keysOf } from './ids.ts';
import { Limits } from './limits.ts';
import { type Scope, scopeNamed } from './model.ts';
import { changeSettings, type Settings, usualSettings } from './settings.ts';
import { openFile, Store } from './store.ts';
import { type Delivered, deliverDue } from './webhooks.ts';
import { type Context, currentVersion, newId } from './world.ts';

export interface ProviderOptions {
  /** `:memory:` unless told. */
  readonly file?: string;
  readonly clock: Clock;
  /** Ids and keys are drawn from it. */
  readonly seed?: string;
  readonly settings?: Partial<Settings>;
}

/** The second account is for keys that do not fit. */
const accountNames = ['main', 'other'];

export class Provider {
  readonly store: Store;
  readonly seed: string;
  readonly accounts: readonly [AccountKeys, AccountKeys];
  readonly faults = new Faults();
  readonly limits = new Limits();
  /** Where its pages are; known when it listens. */
  pagesUrl = 'http://127.0.0.1/_fake';
  readonly #clock: Clock;
  #clockSetting: ClockSetting;
  #settings: Settings;
  #delivering: Promise<unknown> = Promise.resolve();

  constructor({ file = ':memory:', clock, seed = 'grosz', settings = {} }: ProviderOptions) {
    this.store = new Store(openFile(file));
    this.#clock = clock;
    this.seed = seed;
    const [main, other] = accountNames.map((name) => keysOf(seed, name)) as [AccountKeys, AccountKeys];
    this.accounts = [main, other];
    this.#clockSetting = this.store.recall('clock', machineTime);
    this.#settings = changeSettings(this.store.recall('settings', usualSettings), settings);
    this.faults.set(checkRules(this.store.recall('faults', [])));
  }

  get main(): AccountKeys {
    return this.accounts[0];
  }

  /** In milliseconds since 1970. */
  now(): number {
    return timeOf(this.#clockSetting, this.#clock);
  }

  get settings(): Settings {
    return this.#settings;
  }

  changeSettings(change: object): Settings {
    const before = this.#settings;
    this.#settings = changeSettings(before, change);
    this.store.remember('settings', this.#settings);
    if (this.#settings.dailyPayouts && !before.dailyPayouts) planDaily(this.contextOf(this.#mainScope()));
    return this.#settings;
  }

  changeClock(change: ClockChange): void {
    this.#clockSetting = changeClock(this.#clockSetting, change);
    this.store.remember('clock', this.#clockSetting);
    this.runDue();
  }

  setFaults(rules: unknown): void {
    this.faults.set(checkRules(rules));
    this.store.remember('faults', rules);
  }

  keys(): Key[] {
    const revoked = this.store.recall<string[]>('revoked', []);
    const all = [...keysFrom(this.accounts), ...this.store.recall<Key[]>('keys', [])];
    return all.map((key) => (revoked.includes(key.text) ? { ...key, revoked: true } : key));
  }

  webhooks(): readonly WebhookEndpoint[] {
    return endpointsOf(this.store);
  }

  /** One endpoint of the test mode of the main account, unless told. */
  addWebhook(given: Partial<WebhookEndpoint> & { readonly url: string }): WebhookEndpoint {
    const endpoint: WebhookEndpoint = {
      id: newId(this, 'we'),
      secrets: [this.main.webhookSecret],
      ...this.#mainScope(),
      events: ['*'],
      stopped: false,
      shuffled: false,
      duplicates: 0,
      ...given,
    };
    saveEndpoints(this.store, [...this.webhooks().filter(({ url }) => url !== endpoint.url), endpoint]);
    return endpoint;
  }

  changeWebhook(id: string, change: Partial<WebhookEndpoint>): void {
    saveEndpoints(
      this.store,
      this.webhooks().map((one) => (one.id === id ? { ...one, ...change, id } : one)),
    );
  }

  contextOf(scope: Scope, more: Partial<Context> = {}): Context {
    return {
      store: this.store,
      seed: this.seed,
      scope,
      settings: this.#settings,
      now: Math.floor(this.now() / 1_000),
      version: currentVersion,
      request: null,
      pagesUrl: this.pagesUrl,
      ...more,
    };
  }

  /** Everything whose time has come, each at its own time. */
  runDue(): void {
    const now = this.now();
    for (let more = true; more; )
      more = this.store.atomic(() => {
        const due = this.store.claimDue(now);
        if (due) happen(this.contextOf(scopeNamed(due.scope), { now: Math.floor(due.at / 1_000) }), due.action);
        return due !== undefined;
      });
  }

  /** What is due, then all its webhooks. One delivery after the other: two at once would send the same events. */
  deliver(): Promise<Delivered[]> {
    const next = this.#delivering.then(() => this.#deliverAll());
    this.#delivering = next.catch(() => []);
    return next;
  }

  async #deliverAll(): Promise<Delivered[]> {
    this.runDue();
    const delivered: Delivered[] = [];
    // What was not accepted is put off, so this ends.
    for (let more = true; more; ) {
      const some = await deliverDue(this.store, this);
      delivered.push(...some);
      more = some.length > 0;
    }
    return delivered;
  }

  close(): void {
    this.store.close();
  }

  #mainScope(): Scope {
    return { account: this.main.account, live: false };
  }
}
