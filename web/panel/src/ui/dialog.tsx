import { Modal, type ModalProps } from '@mantine/core';
import { commonText } from '../i18n/common.ts';
import { useText } from '../i18n/text.ts';

type DialogProps = Pick<ModalProps, 'title' | 'onClose' | 'children' | 'size' | 'closeOnClickOutside'>;

/** A dialog, rendered while it is open. */
export function Dialog(props: DialogProps) {
  const t = useText(commonText);
  return <Modal opened closeButtonProps={{ 'aria-label': t('close') }} {...props} />;
}
