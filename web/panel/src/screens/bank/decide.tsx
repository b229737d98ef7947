// What an operator says about a line of our bank, and takes back.

import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AllocationFaultReason } from '../../../../../contract/codes/statements.ts';
import type { LineDecisionName } from '../../../../../contract/panel/bank.ts';
import { call } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { ApiError } from '../../api/failure.ts';
import { useFormat } from '../../language/format.ts';
import { useSentence } from '../../language/sentences.ts';
import { useText } from '../../language/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { SelectField, TextField, type Values } from '../../ui/form.tsx';
import { Confirmation, confirmationOf } from '../payout-batches/confirmation.tsx';
import { allocationFaultWords } from './faults/sentences.ts';
import { bankText } from './words.ts';

type Found = Answer<'GET /panel/api/operator/bank'>;
export type Line = Found['waiting'][number];
export type Decided = Found['decisions'][number];

const came: readonly LineDecisionName[] = ['acquirer_payout', 'payout_returned', 'fee_returned', 'suspense'];
const went: readonly LineDecisionName[] = ['payout', 'fee', 'acquirer_payout_returned', 'suspense'];
const withoutTarget: readonly LineDecisionName[] = ['fee', 'fee_returned', 'suspense'];

/** Sends it, and says in the words of the reader why it cannot be so. */
function useSend(path: 'decide' | 'undo', done: 'decided' | 'undoneNow') {
  const t = useText(bankText);
  const notify = useNotify();
  const faultOf = useSentence(allocationFaultWords);
  const client = useQueryClient();
  return async (id: string, decision: LineDecisionName, target: string | null, values: Values): Promise<void> => {
    const body = { decision, ...(target === null ? {} : { target }), ...confirmationOf(values) };
    await call(`POST /panel/api/operator/bank/lines/{id}/${path}`, { params: { id }, body }).catch((error) => {
      const why = error instanceof ApiError ? (error.why as AllocationFaultReason | undefined) : undefined;
      throw why ? new ApiError(400, [{ code: '', message: faultOf(why), field: '' }], '') : error;
    });
    await client.invalidateQueries();
    notify.done(t(done));
  };
}

export function Decide({ line, onClose }: { readonly line: Line; readonly onClose: () => void }) {
  const t = useText(bankText);
  const format = useFormat();
  const send = useSend('decide', 'decided');
  const [proposed] = line.proposed;
  const choices = line.left < 0 ? went : came;
  const [decision, setDecision] = useState<LineDecisionName>(proposed?.decision ?? choices[0] ?? 'suspense');
  const isTargeted = !withoutTarget.includes(decision);
  return (
    <Confirm
      title={t('decideTitle', { amount: format.amount(line.left, 'PLN') })}
      submit={t('decide')}
      onClose={onClose}
      send={(values) => send(line.id, decision, isTargeted ? values('target').trim() : null, values)}
      fields={
        <>
          <SelectField
            name="decision"
            label={t('decision')}
            value={decision}
            onChange={({ currentTarget: { value } }) => setDecision(choices.find((one) => one === value) ?? 'suspense')}
            data={choices.map((value) => ({ value, label: t(value) }))}
          />
          {isTargeted ? (
            <TextField
              key={decision}
              name="target"
              label={t('target')}
              description={t(decision.startsWith('acquirer') ? 'acquirerHint' : 'payoutHint')}
              defaultValue={proposed?.decision === decision ? proposed.target : ''}
              maxLength={300}
              required
              withAsterisk={false}
            />
          ) : null}
          <Confirmation />
        </>
      }
    >
      <About line={line} />
    </Confirm>
  );
}

function About({ line }: { readonly line: Line }) {
  const t = useText(bankText);
  return (
    <>
      {t('decideAbout')}
      <Text size="sm" c="dimmed" mt="xs">
        {line.isBalance ? t('brought') : <>“{line.title}”</>}
      </Text>
    </>
  );
}

export function Undo({ decided, onClose }: { readonly decided: Decided; readonly onClose: () => void }) {
  const t = useText(bankText);
  const format = useFormat();
  const send = useSend('undo', 'undoneNow');
  return (
    <Confirm
      title={t('undoTitle', { amount: format.amount(decided.amount, 'PLN') })}
      submit={t('undo')}
      danger
      onClose={onClose}
      send={(values) => send(decided.lineId, decided.decision, decided.target, values)}
      fields={<Confirmation />}
    >
      {t('undoAbout')}
    </Confirm>
  );
}
