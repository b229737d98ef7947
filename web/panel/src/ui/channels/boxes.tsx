import { Checkbox, Stack } from '@mantine/core';
import type { Values } from '../form.tsx';
import { channelIds, useChannelName } from './channels.ts';

const boxName = (id: string) => `channel-${id}`;

/** The channels that are ticked in a form. */
export function channelsOf(values: Values): number[] {
  return channelIds.filter((id) => values(boxName(id)) === 'on').map(Number);
}

interface ChannelBoxesProps {
  readonly label: string;
  readonly enabled: readonly (string | number)[];
}

/** A box for each payment channel. */
export function ChannelBoxes({ label, enabled }: ChannelBoxesProps) {
  const nameOf = useChannelName();
  const ticked = new Set(enabled.map(String));
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      <Stack gap="xs">
        {channelIds.map((id) => (
          <Checkbox key={id} name={boxName(id)} label={nameOf(id)} defaultChecked={ticked.has(id)} />
        ))}
      </Stack>
    </fieldset>
  );
}
