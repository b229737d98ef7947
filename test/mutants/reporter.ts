// What became of each test, one line of JSON each, for the runner of mutants.

import type { TestEvent } from 'node:test/reporters';

export interface Reported {
  readonly file: string;
  readonly name: string;
  readonly isSuite: boolean;
  readonly isPassed: boolean;
}

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isLeftOut = data.skip !== undefined || data.todo !== undefined;
    if (isLeftOut) continue;
    const { file = '', name, details } = data;
    const reported: Reported = { file, name, isSuite: details.type === 'suite', isPassed: type === 'test:pass' };
    yield `${JSON.stringify(reported)}\n`;
  }
}
