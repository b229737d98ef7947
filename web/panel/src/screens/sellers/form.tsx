import { SimpleGrid } from '@mantine/core';
import type { Answer, BodyOf } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { ChannelBoxes, channelsOf } from '../../ui/channels/boxes.tsx';
import { channelIds } from '../../ui/channels/channels.ts';
import { decimalOf } from '../../ui/decimal.ts';
import { TextField, type Values } from '../../ui/form.tsx';
import { commonText } from '../../ui/words.ts';
import { sellerText } from './words.ts';

export type Seller = Answer<'GET /accounts/{accountId}'>;
type Body = BodyOf<'POST /accounts'>;

const feeNames = ['paymentPercent', 'paymentFixed', 'refundFixed'] as const;

/** Empty texts are left out of a new seller, and cleared in one that is changed. */
export function sellerOf(values: Values, notNumber: string, before?: Seller): Body {
  const fees = feeNames.flatMap((name) => {
    const text = values(`fees.${name}`);
    return text.trim() === '' ? [] : [[name, decimalOf(text, `fees.${name}`, notNumber)]];
  });
  const texts = (['phone', 'taxId', 'website'] as const).flatMap((name) => {
    const text = values(name).trim();
    return text === '' && !before?.[name] ? [] : [[name, text]];
  });
  return {
    name: values('name').trim(),
    email: values('email').trim(),
    ...Object.fromEntries(texts),
    channels: channelsOf(values),
    fees: Object.fromEntries(fees),
  };
}

export function SellerFields({ seller }: { readonly seller?: Seller }) {
  const t = useText(sellerText);
  const common = useText(commonText);
  return (
    <>
      <TextField name="name" label={t('name')} defaultValue={seller?.name} required withAsterisk={false} />
      <TextField
        name="email"
        type="email"
        label={common('email')}
        defaultValue={seller?.email}
        required
        withAsterisk={false}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextField name="phone" type="tel" label={t('phone')} defaultValue={seller?.phone} />
        <TextField name="taxId" label={t('taxId')} defaultValue={seller?.taxId} />
      </SimpleGrid>
      <TextField name="website" type="url" label={t('website')} defaultValue={seller?.website} />
      <ChannelBoxes label={t('channels')} enabled={seller?.channels ?? channelIds} />
      <fieldset className="choices">
        <legend>{t('fees')}</legend>
        <SimpleGrid cols={{ base: 1, xs: 3 }} className="fields-aligned">
          {feeNames.map((name) => (
            <TextField
              key={name}
              name={`fees.${name}`}
              label={t(name)}
              defaultValue={seller?.fees[name]}
              inputMode="decimal"
            />
          ))}
        </SimpleGrid>
      </fieldset>
    </>
  );
}
