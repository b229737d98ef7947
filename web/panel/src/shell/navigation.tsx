import { Stack, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { useText } from '../language/text.ts';
import { menuOf, sectionOf } from '../menu/menu.ts';
import { screenText } from '../menu/words.ts';

export function Navigation() {
  const t = useText(screenText);
  const { pathname } = useLocation();
  const here = sectionOf(pathname);
  const session = useSession();
  return (
    <Stack gap={2}>
      {session.account ? (
        <Text fw={600} size="sm" px={12} pt={4} pb={8} truncate title={session.account.name}>
          {session.account.name}
        </Text>
      ) : null}
      {menuOf(session).map(({ path, name, icon: Icon }) => {
        const active = path === here;
        return (
          <Link
            key={path}
            to={path}
            className="nav-link"
            data-active={active}
            aria-current={active ? 'page' : undefined}
          >
            {Icon ? <Icon size={18} stroke={1.75} aria-hidden="true" /> : null}
            {t(name)}
          </Link>
        );
      })}
    </Stack>
  );
}
