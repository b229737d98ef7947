import { Modal, type ModalProps } from '@mantine/core';
import { useText } from '../language/text.ts';
import { commonText } from './words.ts';

type DialogProps = Pick<ModalProps, 'title' | 'onClose' | 'children' | 'size' | 'closeOnClickOutside'>;

/** A dialog, rendered while it is open. */
export function Dialog(props: DialogProps) {
  const t = useText(commonText);
  const { title, children, ...others } = props;
  return (
    <Modal.Root opened centered {...others}>
      <Modal.Overlay />
      <Modal.Content>
        {/* A header outside of any section would be the page's. */}
        <Modal.Header role="none">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t('close')} />
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
