// Which screens somebody sees.

import { may, type Session } from '../api/session.ts';
import { screens } from '../screens.ts';
import type { Screen } from './screen.ts';

/** The tabs of a section that this person may use. */
export function tabsOf(section: string, session: Session): readonly Screen[] {
  return screens.filter(({ under, who }) => under === section && may(session, who));
}

/** A section without a usable tab is not shown. */
export function isUsable(screen: Screen, session: Session): boolean {
  if (!may(session, screen.who)) return false;
  return screen.load !== undefined || tabsOf(screen.path, session).length > 0;
}

export function menuOf(session: Session): readonly Screen[] {
  return screens.filter((screen) => screen.icon && isUsable(screen, session));
}

/** Where somebody begins who has no account on screen: operators in their own section. */
export function homeOf(session: Session): Screen | undefined {
  const menu = menuOf(session);
  return menu.find(({ who }) => who === 'operator') ?? menu[0];
}

/** The section that a path is in, for the marked item of the navigation. */
export function sectionOf(pathname: string): string {
  const [, first = ''] = pathname.split('/');
  return `/${first}`;
}
