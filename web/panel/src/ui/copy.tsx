import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useText } from '../language/text.ts';
import { commonText } from './words.ts';

/** Copies a text that people paste elsewhere, such as an id. */
export function Copy({ text }: { readonly text: string }) {
  const t = useText(commonText);
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copied') : t('copy')}>
          <ActionIcon
            variant="subtle"
            color="gray.7"
            size="sm"
            onClick={copy}
            aria-label={copied ? t('copied') : t('copy')}
          >
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
