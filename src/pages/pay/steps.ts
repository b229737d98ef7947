// Maps the state of a payment to the content of its page.

import { chooseStep, type FormOptions, methodStep, type Sent } from './forms.ts';
import type { PayScene, Step } from './layout.ts';
import type { State } from './rules.ts';
import {
  canceledStep,
  confirmStep,
  exhaustedStep,
  expiredStep,
  paidStep,
  refundedStep,
  waitingStep,
} from './states.ts';

/** What every installation has of its own about cards. */
export type CardOptions = Pick<FormOptions, 'cardKey' | 'cardBrands'>;

export function stepOf(scene: PayScene, state: State, cards: CardOptions, sent: Sent): Step {
  switch (state.kind) {
    case 'choose':
      return chooseStep(scene, state.methods, state.before);
    case 'method':
      return methodStep(scene, state.method, { before: state.before, others: state.others, ...sent, ...cards });
    case 'waiting':
      return waitingStep(scene, state);
    case 'confirm':
      return confirmStep(scene, state.link);
    case 'paid':
      return paidStep(scene, state.earlier);
    case 'refunded':
      return refundedStep(scene);
    case 'canceled':
      return canceledStep(scene, state.givenBack);
    case 'expired':
      return expiredStep(scene);
    case 'exhausted':
      return exhaustedStep(scene);
  }
}
