import { Link, useLocation } from '@tanstack/react-router';
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
  if (tabs.length < 2) return null;
  return (
    <nav className="section-tabs" aria-label={t('sections')}>
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
