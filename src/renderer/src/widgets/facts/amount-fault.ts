// What is wrong with a typed amount, in words.
import type { AmountFault } from '../../format/parse-amount'
import type { Text } from '../../i18n/text'

/** And how to write it. */
export function amountFaultText(fault: AmountFault, t: Text): string {
  switch (fault.kind) {
    case 'ambiguous':
      return t('ui.amount.ambiguous', { small: fault.small, large: fault.large })
    case 'tooFine':
      return t('ui.amount.tooFine', { decimals: fault.decimals })
    case 'notNumber':
      return t('ui.amount.notNumber')
    default:
      return fault satisfies never
  }
}
