// The payment channels by id.

import { channelIds as allChannels, methodNames, methods } from '../../../../../contract/methods.ts';
import { useKnown } from '../../language/text.ts';
import { channelText } from './words.ts';

export const channelIds = allChannels.map(String);

/** The name of a channel, or its id. */
export function useChannelName(): (id: string | number) => string {
  const known = useKnown(channelText);
  return (id) => known(methodNames.find((one) => String(methods[one].id) === String(id)) ?? '') ?? String(id);
}
