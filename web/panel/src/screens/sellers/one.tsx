import { Anchor, Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePathPart } from '../../address.ts';
import { call, read } from '../../api/client.ts';
import type { BodyOf } from '../../api/endpoints.ts';
import { useMay } from '../../api/session.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Blocking, LookButton } from '../../ui/blocking/blocking.tsx';
import { useChannelName } from '../../ui/channels/channels.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts, Id } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { listText } from '../../ui/list/words.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Note } from '../../ui/status.tsx';
import { commonText } from '../../ui/words.ts';
import { type Seller, SellerFields, sellerOf } from './form.tsx';
import { SellerStatus } from './status.tsx';
import { sellerText } from './words.ts';

export default function OneSeller() {
  const accountId = usePathPart('accountId');
  const seller = useQuery(read('GET /accounts/{accountId}', { params: { accountId } }));
  return <Loaded query={seller}>{(data) => <Shown seller={data} />}</Loaded>;
}

interface Props {
  readonly seller: Seller;
}

function Shown({ seller }: Props) {
  const t = useText(sellerText);
  const { id, name, status } = seller;
  return (
    <Page
      title={name}
      mark={<SellerStatus status={status} />}
      about={
        <TextLink to="/marketplace/sellers" size="sm">
          {t('all')}
        </TextLink>
      }
      actions={useMay('write') ? <Actions seller={seller} /> : null}
    >
      {status === 'blocked' ? <Note tone="wait">{t('blockedNote')}</Note> : null}
      <Details seller={seller} />
      <Group gap="sm">
        <ButtonLink to="/marketplace/transactions" search={{ merchantId: id }} variant="default">
          {t('transactions')}
        </ButtonLink>
        <LookButton accountId={id}>{t('look')}</LookButton>
      </Group>
    </Page>
  );
}

function Details({ seller }: Props) {
  const t = useText(sellerText);
  const list = useText(listText);
  const common = useText(commonText);
  const format = useFormat();
  const channelName = useChannelName();
  const { currency, fees } = seller;
  return (
    <Section title={t('details')}>
      <Facts
        facts={[
          { label: t('balance'), value: <strong>{format.amount(seller.balance, currency)}</strong> },
          { label: common('email'), value: seller.email },
          { label: t('phone'), value: seller.phone },
          { label: t('taxId'), value: seller.taxId },
          { label: t('website'), value: seller.website ? <Website url={seller.website} /> : '' },
          { label: t('channels'), value: seller.channels.map(channelName).join(', ') },
          { label: t('paymentPercent'), value: format.number(fees.paymentPercent) },
          { label: t('paymentFixed'), value: format.amount(fees.paymentFixed, currency) },
          { label: t('refundFixed'), value: format.amount(fees.refundFixed, currency) },
          { label: t('since'), value: format.date(seller.date.create) },
          { label: list('id'), value: <Id text={seller.id} /> },
          { label: t('posId'), value: <Id text={seller.posId} /> },
        ]}
      />
    </Section>
  );
}

/** A link only if it is one of the web: a seller may have given anything. */
function Website({ url }: { readonly url: string }) {
  if (!/^https?:\/\//i.test(url)) return url;
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
      {url}
    </Anchor>
  );
}

function Actions({ seller }: Props) {
  const t = useText(sellerText);
  const [isChanging, setIsChanging] = useState(false);
  const { send } = useChange(seller);
  return (
    <>
      <Button variant="default" onClick={() => setIsChanging(true)}>
        {t('change')}
      </Button>
      <Blocking account={seller} send={send}>
        {t('blockHint')}
      </Blocking>
      {isChanging ? <Change seller={seller} onClose={() => setIsChanging(false)} /> : null}
    </>
  );
}

function useChange({ id: accountId }: Seller) {
  const client = useQueryClient();
  const notify = useNotify();
  async function send(body: BodyOf<'POST /accounts/{accountId}'>, message: string): Promise<void> {
    const seller = await call('POST /accounts/{accountId}', { params: { accountId }, body });
    client.setQueryData(read('GET /accounts/{accountId}', { params: { accountId } }).queryKey, seller);
    await client.invalidateQueries({ queryKey: ['GET /accounts'] });
    notify.done(message);
  }
  return { send };
}

interface DialogProps extends Props {
  readonly onClose: () => void;
}

function Change({ seller, onClose }: DialogProps) {
  const t = useText(sellerText);
  const common = useText(commonText);
  const { send } = useChange(seller);
  return (
    <Confirm
      title={`${t('change')}: ${seller.name}`}
      submit={common('save')}
      onClose={onClose}
      send={(values) => send(sellerOf(values, t('notNumber'), seller), t('changed'))}
      fields={<SellerFields seller={seller} />}
    />
  );
}
