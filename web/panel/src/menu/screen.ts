// What a screen says of itself. Its name is in the words of this folder: the navigation has the names of all screens.

import type { IconTool } from '@tabler/icons-react';
import type { FunctionComponent } from 'react';
import type { Who } from '../api/session.ts';
import type { KeyOf } from '../language/text.ts';
import type { screenText } from './words.ts';

export type Icon = typeof IconTool;

export interface Screen {
  /** Without `/panel`; `$name` is a part that a screen reads by `usePathPart`. */
  readonly path: string;
  readonly name: KeyOf<typeof screenText>;
  /** Without it, the screen is a section that opens its first tab. */
  readonly load?: () => Promise<{ readonly default: FunctionComponent }>;
  readonly who: Who;
  /** In the main navigation. */
  readonly icon?: Icon;
  /** The section whose tab it is. */
  readonly under?: string;
  /** Opens it after `g`. */
  readonly key?: string;
}
