// A question before something that matters. The dialog closes when the service has done it, and shows why not otherwise.

import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { Form, type Values } from './form.tsx';

interface ConfirmProps {
  readonly title: string;
  /** What will happen. */
  readonly children?: ReactNode;
  /** Names the action, never "OK". */
  readonly submit: string;
  readonly danger?: boolean;
  /** The button that changes nothing, where "Cancel" could be taken for the action itself. */
  readonly keep?: string;
  readonly send: (values: Values) => Promise<unknown>;
  readonly onClose: () => void;
  /** Fields that are asked for, such as the password. */
  readonly fields?: ReactNode;
}

/** Rendered while it is open. */
export function Confirm({ title, children, submit, danger = false, keep, send, onClose, fields }: ConfirmProps) {
  async function sendAndClose(values: Values): Promise<void> {
    await send(values);
    onClose();
  }
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack gap="md">
        {children ? (
          <Text size="sm" component="div">
            {children}
          </Text>
        ) : null}
        <Form send={sendAndClose} submit={submit} danger={danger} cancel={onClose} cancelLabel={keep}>
          {fields}
        </Form>
      </Stack>
    </Dialog>
  );
}
