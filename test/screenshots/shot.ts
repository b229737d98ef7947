import type { Page } from 'playwright-core';
import type { Demo } from './demo.ts';

export interface Shot {
  /** Of the file, without its ending. */
  readonly name: string;
  /** Whether the documentation shows it; the others are for those who change the pages, and not part of the project. */
  readonly kept?: boolean;
  readonly width: number;
  readonly height: number;
  readonly dark?: boolean;
  /** Opens what is to be seen and waits until it is there. */
  open(page: Page, demo: Demo): Promise<unknown>;
}

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 780 };
