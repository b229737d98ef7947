import { Radio, Stack } from '@mantine/core';
import { useSession } from '../../api/session.ts';
import { useText } from '../../language/text.ts';
import { type Role, rolesFrom } from './model.ts';
import { usersText } from './words.ts';

/** The roles that may be given, each with what it allows. */
export function RoleField({ initial }: { readonly initial?: Role }) {
  const t = useText(usersText);
  const roles = rolesFrom(useSession().user.role);
  const chosen = initial ?? roles.at(-1)?.role ?? 'read_only';
  return (
    <Radio.Group name="role" label={t('role')} defaultValue={chosen}>
      <Stack gap="xs" mt={4}>
        {roles.map(({ role, about }) => (
          <Radio key={role} value={role} label={t(role)} description={t(about as 'ownerAbout')} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
