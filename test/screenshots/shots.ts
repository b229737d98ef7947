// The screenshots of the documentation. A new one is an entry here.

import type { Page } from 'playwright-core';
import type { Demo } from './demo.ts';

export interface Shot {
  /** Of the file in docs/images, without its ending. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly dark?: boolean;
  /** Opens what is to be seen and waits until it is there. */
  open(page: Page, demo: Demo): Promise<void>;
}

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 780 };

/** Signs in to the panel and opens a screen; it is there when this text is. */
async function openPanel(page: Page, { url, file }: Demo, email: string, path: string, text: string): Promise<void> {
  await page.goto(`${url}/panel${path}`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(file.panel.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(text).first().waitFor();
}

const owner = 'demo@example.com';

export const shots: readonly Shot[] = [
  {
    name: 'panel-overview',
    ...desktop,
    open: async (page, demo) => {
      await openPanel(page, demo, owner, '/', 'Volume by day');
      await page.locator('.chart').first().waitFor();
    },
  },
  {
    name: 'panel-transactions',
    ...desktop,
    height: 700,
    open: (page, demo) => openPanel(page, demo, owner, '/transactions', 'transactions shown'),
  },
  {
    name: 'panel-transaction',
    ...desktop,
    open: (page, demo) => openPanel(page, demo, owner, `/transactions/${demo.refundedId}`, 'Timeline'),
  },
  {
    name: 'panel-developers',
    ...desktop,
    dark: true,
    open: (page, demo) => openPanel(page, demo, owner, '/developers/requests', 'POST /transactions'),
  },
  {
    name: 'panel-phone',
    ...phone,
    dark: true,
    open: (page, demo) => openPanel(page, demo, owner, '/transactions', 'transactions shown'),
  },
];
