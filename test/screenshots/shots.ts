// The screenshots. A new one is an entry here.

import type { Page } from 'playwright-core';
import type { Demo } from './demo.ts';
import { payShots } from './pay-shots.ts';
import { desktop, phone, type Shot } from './shot.ts';

/** Signs in to the panel and opens a screen; it is there when this text is. */
async function openPanel(page: Page, { url, file }: Demo, email: string, path: string, text: string): Promise<void> {
  await page.goto(`${url}/panel${path}`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(file.panel.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(text).first().waitFor();
}

const owner = 'demo@example.com';

export const shots: readonly Shot[] = [
  {
    name: 'panel-overview',
    kept: true,
    ...desktop,
    open: async (page, demo) => {
      await openPanel(page, demo, owner, '/', 'Volume by day');
      await page.locator('.chart').first().waitFor();
    },
  },
  {
    name: 'panel-transactions',
    kept: true,
    ...desktop,
    height: 700,
    open: (page, demo) => openPanel(page, demo, owner, '/transactions', 'transactions shown'),
  },
  {
    name: 'panel-transaction',
    kept: true,
    ...desktop,
    open: (page, demo) => openPanel(page, demo, owner, `/transactions/${demo.refundedId}`, 'Timeline'),
  },
  {
    name: 'panel-developers',
    kept: true,
    ...desktop,
    dark: true,
    open: (page, demo) => openPanel(page, demo, owner, '/developers/requests', 'POST /transactions'),
  },
  {
    name: 'panel-phone',
    kept: true,
    ...phone,
    dark: true,
    open: (page, demo) => openPanel(page, demo, owner, '/transactions', 'transactions shown'),
  },
  ...payShots,
];
