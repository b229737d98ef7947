// Forms: what is typed is read when it is sent; the service's faults appear at their fields.

import {
  Button,
  Checkbox,
  type CheckboxProps,
  Group,
  NativeSelect,
  type NativeSelectProps,
  PasswordInput,
  type PasswordInputProps,
  Stack,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useRef } from 'react';
import { ApiError, type Fault } from '../api/failure.ts';
import { useText } from '../language/text.ts';
import { Failed, useSentences } from './failed/failed.tsx';
import { commonText } from './words.ts';

/** The fields by name; absent ones are empty. */
export type Values = (name: string) => string;

interface FormProps {
  readonly send: (values: Values) => Promise<unknown>;
  readonly submit: string;
  /** Closes the form without sending it. */
  readonly cancel?: () => void;
  /** Where "Cancel" could be taken for the action itself. */
  readonly cancelLabel?: string | undefined;
  /** The button of something that cannot be undone. */
  readonly danger?: boolean;
  readonly fullWidth?: boolean;
  readonly children?: ReactNode;
}

const FieldFaults = createContext<Readonly<Record<string, string>>>({});

export function Form({ send, submit, cancel, cancelLabel, danger = false, fullWidth = false, children }: FormProps) {
  const t = useText(commonText);
  const sentences = useSentences();
  const form = useRef<HTMLFormElement>(null);
  const sending = useMutation({
    mutationFn: async ({ values, faults }: { readonly values: Values; readonly faults: readonly Fault[] }) => {
      if (faults.length > 0) throw new ApiError(400, faults, '');
      await send(values);
    },
  });
  const faults = sentences.fields(sending.error);
  const shown = new Set(fieldNames(form.current));
  const isShown = sending.error !== null && Object.keys(faults).some((name) => shown.has(name));

  useEffect(() => {
    if (sending.error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [sending.error]);

  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const values: Values = (name) => String(data.get(name) ?? '');
    if (!sending.isPending) sending.mutate({ values, faults: inputFaults(event.currentTarget) });
  }

  return (
    // The browser's own checks would be told in the browser's language.
    <form ref={form} onSubmit={submitted} noValidate>
      <FieldFaults value={faults}>
        <Stack gap="md">
          {children}
          {sending.error && !isShown ? <Failed error={sending.error} /> : null}
          <Group justify="flex-end" gap="xs">
            {cancel ? (
              <Button variant="default" onClick={cancel}>
                {cancelLabel ?? t('cancel')}
              </Button>
            ) : null}
            <Button
              type="submit"
              loading={sending.isPending}
              fullWidth={fullWidth}
              {...(danger ? { color: 'red.8', autoContrast: false } : {})}
            >
              {submit}
            </Button>
          </Group>
        </Stack>
      </FieldFaults>
    </form>
  );
}

/** The code of each thing that a browser checks. */
const inputCodes = {
  valueMissing: 'field_required',
  tooShort: 'too_short',
  tooLong: 'too_long',
  rangeUnderflow: 'too_low',
  rangeOverflow: 'too_high',
  typeMismatch: 'not_valid',
  patternMismatch: 'not_valid',
  badInput: 'not_valid',
} as const;

/** What must be typed into a field of this type. */
const typeRules: Readonly<Record<string, 'email' | 'web_address'>> = { email: 'email', url: 'web_address' };

/** What the browser finds wrong with the fields, in the words of the service. */
function inputFaults(form: HTMLFormElement): Fault[] {
  return [...form.elements].flatMap((element) => {
    const { name, type, validity } = element as HTMLInputElement;
    if (!name || !validity || validity.valid) return [];
    const kind = (Object.keys(inputCodes) as (keyof typeof inputCodes)[]).find((one) => validity[one]);
    if (kind === undefined) return [];
    const code = kind === 'typeMismatch' ? typeRules[type] : undefined;
    const rule = code ? { code, parameters: {} } : undefined;
    return [{ code: inputCodes[kind], message: '', field: name, rule }];
  });
}

function fieldNames(form: HTMLFormElement | null): string[] {
  return [...(form?.elements ?? [])].flatMap((element) => element.getAttribute('name') ?? []);
}

interface Named {
  /** As in the request, so that the service's faults find it. */
  readonly name: string;
}

export function TextField(props: TextInputProps & Named) {
  return <TextInput {...props} error={useContext(FieldFaults)[props.name]} />;
}

export function PasswordField(props: PasswordInputProps & Named) {
  return <PasswordInput {...props} error={useContext(FieldFaults)[props.name]} />;
}

export function SelectField(props: NativeSelectProps & Named) {
  return <NativeSelect {...props} error={useContext(FieldFaults)[props.name]} />;
}

/** A text of several lines. */
export function AreaField(props: TextareaProps & Named) {
  return <Textarea {...props} error={useContext(FieldFaults)[props.name]} />;
}

/** Its value is `on` if it is ticked. */
export function CheckField(props: CheckboxProps & Named) {
  return <Checkbox {...props} error={useContext(FieldFaults)[props.name]} />;
}
