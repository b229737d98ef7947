import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconParking } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type DecisionFaultReason, isOnlySeen } from '../../../../../contract/codes/parking.ts';
import { call } from '../../api/client.ts';
import type { Answer, BodyOf } from '../../api/endpoints.ts';
import { ApiError } from '../../api/failure.ts';
import { centsOfText, decimalOfCents } from '../../language/cents.ts';
import { useFormat } from '../../language/format.ts';
import { useSentence } from '../../language/sentences.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts, Id } from '../../ui/facts.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { SelectField, TextField, type Values } from '../../ui/form.tsx';
import { TextLink } from '../../ui/link.tsx';
import { List } from '../../ui/list/list.tsx';
import { listText } from '../../ui/list/words.ts';
import { parkReasonWords } from '../../ui/park-reason/sentences.ts';
import { Note } from '../../ui/status.tsx';
import { choicesOf, type Decided, finalityOf } from './choices.ts';
import { decisionFaultWords } from './faults/sentences.ts';
import { historyText } from './history/words.ts';
import { parkedKindText } from './kinds/words.ts';
import { parkedText } from './words.ts';

type Item = Answer<'GET /panel/api/operator/parked'>['parked'][number];
type Body = BodyOf<'POST /panel/api/operator/parked/{id}/decide'>;

/** The service has one currency. */
const currency = 'PLN';

export default function Parked() {
  const t = useText(parkedText);
  const list = useText(listText);
  const format = useFormat();
  const kindOf = useText(parkedKindText);
  const reasonOf = useSentence(parkReasonWords);
  const [item, setItem] = useState<Item>();
  return (
    <List
      endpoint="GET /panel/api/operator/parked"
      title={useText(screenText)('parked')}
      about={t('parkedAbout')}
      rows={({ parked }) => parked}
      keyOf={({ id }) => id}
      columns={[
        { key: 'amount', label: list('amount'), lead: true, cell: ({ amount }) => format.amount(amount, currency) },
        {
          key: 'account',
          label: t('account'),
          cell: (one) => <Account item={one} />,
        },
        { key: 'kind', label: t('kind'), cell: ({ kind }) => kindOf(kind) },
        { key: 'since', label: t('since'), nowrap: true, cell: ({ parkedAt }) => format.dateTime(parkedAt) },
        {
          key: 'why',
          label: t('why'),
          cell: ({ id, why }) => (
            <>
              {reasonOf(why)}
              <div className="tile-about">
                <Id text={id} />
              </div>
            </>
          ),
        },
        {
          key: 'transaction',
          label: t('transaction'),
          cell: ({ accountId, transactionId }) =>
            accountId && transactionId ? (
              <Anchor size="sm" href={`/panel/transactions/${transactionId}?as=${accountId}`}>
                {t('look')}
              </Anchor>
            ) : (
              '–'
            ),
        },
        {
          key: 'decide',
          label: t('decide'),
          hideLabel: true,
          cell: (one) => (
            // What the bank is to correct is decided again only if it does not.
            <Button size="xs" onClick={() => setItem(one)}>
              {t('decide')}
            </Button>
          ),
        },
      ]}
      empty={{ icon: IconParking, title: t('nothingParked'), children: t('nothingParkedHint') }}
      below={item ? <Decide item={item} onClose={() => setItem(undefined)} /> : null}
    />
  );
}

function Account({ item: { accountId, accountName } }: { readonly item: Item }) {
  if (accountId === null) return '–';
  return (
    <TextLink to={`/operator/accounts/${accountId}`} size="sm">
      {accountName}
    </TextLink>
  );
}

/** Typed by the operator, never filled in: it is what the bank confirmed by other means. */
function decisionOf(values: Values, notAmount: string): Body {
  if (values('decision') !== 'captured') return { decision: 'not_captured' };
  const cents = centsOfText(values('amount').trim());
  if (Number.isNaN(cents)) throw amountFault(notAmount);
  return { decision: 'captured', amount: String(decimalOfCents(cents)) };
}

/** What has been seen is what is shown: the amount of what the payer gets too much may have changed since. */
function seenOf({ why, amount }: Item): Body {
  if (why.code !== 'refunded_too') return { decision: 'not_captured' };
  return { decision: 'captured', amount: String(decimalOfCents(centsOfText(String(amount)))) };
}

const amountFault = (message: string, field = 'amount') => new ApiError(400, [{ code: '', message, field }], '');

function Decide({ item, onClose }: { readonly item: Item; readonly onClose: () => void }) {
  const t = useText(parkedText);
  const notify = useNotify();
  const format = useFormat();
  const reasonOf = useSentence(parkReasonWords);
  const faultOf = useSentence(decisionFaultWords);
  const client = useQueryClient();
  async function send(values: Values): Promise<void> {
    const body: Body = isOnlySeen(item.why) ? seenOf(item) : decisionOf(values, t('notAmount'));
    await call('POST /panel/api/operator/parked/{id}/decide', { params: { id: item.id }, body }).catch((error) => {
      const why = error instanceof ApiError ? (error.why as DecisionFaultReason | undefined) : undefined;
      throw why ? amountFault(faultOf(why), isOnlySeen(item.why) ? '' : 'amount') : error;
    });
    await client.invalidateQueries();
    notify.done(t(isOnlySeen(item.why) ? 'noted' : 'decided'));
  }
  return (
    <Confirm
      title={t('decideTitle', { amount: format.amount(item.amount, currency) })}
      submit={isOnlySeen(item.why) ? t('seen') : t('decide')}
      danger={!isOnlySeen(item.why)}
      onClose={onClose}
      send={send}
      fields={isOnlySeen(item.why) ? null : <DecisionFields item={item} />}
    >
      <Stack gap="sm">
        <Facts
          facts={[
            { label: t('why'), value: reasonOf(item.why) },
            { label: t('since'), value: format.exact(item.parkedAt) },
          ]}
        />
        {item.history.length > 1 ? <History steps={item.history} /> : null}
        {item.why.code === 'dispute_unsettled' ? <Text size="sm">{t('standsAbout')}</Text> : null}
      </Stack>
    </Confirm>
  );
}

function History({ steps }: { readonly steps: Item['history'] }) {
  const t = useText(parkedText);
  const stepOf = useText(historyText);
  const format = useFormat();
  const shown = (amount: number | null) => (amount === null ? '–' : format.amount(amount, currency));
  /** Of a line of the statement there is one amount only, and of a decision none. */
  const amounts = ({ bank, books }: Pick<Item['history'][number], 'bank' | 'books'>) => {
    if (bank !== books) return t('amounts', { bank: shown(bank), books: shown(books) });
    return bank === null ? null : shown(bank);
  };
  return (
    <Stack gap={2}>
      <Text size="sm" fw={500}>
        {t('history')}
      </Text>
      {steps.map(({ at, step, ...pair }) => (
        <Text size="xs" c="dimmed" key={`${at} ${step}`}>
          {[format.dateTime(at), stepOf(step), amounts(pair)].filter(Boolean).join(' · ')}
        </Text>
      ))}
    </Stack>
  );
}

function DecisionFields({ item }: { readonly item: Item }) {
  const t = useText(parkedText);
  const [moved, not] = choicesOf(item);
  const [decision, setDecision] = useState<Decided>('captured');
  return (
    <>
      <SelectField
        name="decision"
        label={t('decision')}
        value={decision}
        onChange={(event) => setDecision(event.currentTarget.value === 'captured' ? 'captured' : 'not_captured')}
        data={[
          { value: 'captured', label: t(moved) },
          { value: 'not_captured', label: t(not) },
        ]}
      />
      {decision === 'captured' ? (
        <TextField
          name="amount"
          label={t('confirmedAmount')}
          description={t('confirmedHint')}
          inputMode="decimal"
          autoComplete="off"
          required
          withAsterisk={false}
        />
      ) : (
        <Text size="sm">{t(not)}.</Text>
      )}
      <Note tone="wait">{t(finalityOf(item, decision))}</Note>
    </>
  );
}
