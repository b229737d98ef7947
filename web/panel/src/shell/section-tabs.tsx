import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useSession } from '../api/session.ts';
import { useText } from '../language/text.ts';
import { sectionOf, tabsOf } from '../menu/menu.ts';
import { screenText } from '../menu/words.ts';
import { shellText } from './words.ts';

/** The tabs of the section that is open; sections with a single screen have none. */
export function SectionTabs() {
  const t = useText(shellText);
  const screenName = useText(screenText);
  const session = useSession();
  const { pathname } = useLocation();
  const tabs = tabsOf(sectionOf(pathname), session);
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen they are wider than it is: the open one is never out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path has another open tab.
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  if (tabs.length < 2) return null;
  return (
    <nav ref={nav} className="section-tabs" aria-label={t('sections')}>
      {tabs.map(({ path, name }) => {
        const active = pathname === path || pathname.startsWith(`${path}/`);
        return (
          <Link
            key={path}
            to={path}
            className="section-tab"
            data-active={active}
            aria-current={active ? 'page' : undefined}
          >
            {screenName(name)}
          </Link>
        );
      })}
    </nav>
  );
}
