import { Anchor, Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useFormat } from '../../../language/format.ts';
import { useText } from '../../../language/text.ts';
import { Qr } from '../../../ui/qr.tsx';
import { commonText } from '../../../ui/words.ts';
import { newPaymentText } from './words.ts';

interface PaymentLinkProps {
  readonly url: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly email: string;
}

/** The link of a payment, to hand over: copied, by mail, or from the screen. */
export function PaymentLink({ url, amount, currency, description, email }: PaymentLinkProps) {
  const t = useText(newPaymentText);
  const common = useText(commonText);
  const exact = useFormat().amount(amount, currency);
  const subject = encodeURIComponent(t('mailSubject', { description }));
  const body = encodeURIComponent(`${t('mailBody', { amount: exact, description })}\r\n\r\n${url}`);
  return (
    <div className="payment-link">
      <Qr text={url} label={t('qr')} />
      <div>
        <Stack gap="sm">
          <Text size="sm">{t('linkAbout', { amount: exact })}</Text>
          <Anchor href={url} target="_blank" rel="noreferrer" className="mono">
            {url}
          </Anchor>
          <Group gap="xs">
            <CopyButton value={url}>
              {({ copied, copy }) => <Button onClick={copy}>{copied ? common('copied') : t('copyLink')}</Button>}
            </CopyButton>
            <Button
              component="a"
              variant="default"
              href={`mailto:${encodeURIComponent(email)}?subject=${subject}&body=${body}`}
            >
              {t('mail')}
            </Button>
          </Group>
        </Stack>
      </div>
    </div>
  );
}
