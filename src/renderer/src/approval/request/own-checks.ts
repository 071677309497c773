// The checks of a request beside the signer's findings, in the reader's language.
import {
  type Check,
  type CheckInput,
  dataChecks,
  inWords,
  transactionChecks,
} from '../../../../contract/approval/approval-checks'
import type { Formatter } from '../../format/formatter'
import type { Text } from '../../i18n/text'
import type { Finding } from '../../widgets/incidents/SeverityList'

interface CheckWords {
  readonly t: Text
  readonly format: Formatter
}

export function ownDataFindings(input: Parameters<typeof dataChecks>[0], words: CheckWords): readonly Finding[] {
  return dataChecks(input).map((check) => findingOf(check, words))
}

/** Of a transaction, in the order CRITICAL, WARNING, Info. */
export function ownFindings(input: CheckInput, words: CheckWords): readonly Finding[] {
  return transactionChecks(input).map((check) => findingOf(check, words))
}

function findingOf(check: Check, { t, format }: CheckWords): Finding {
  const values = inWords(check, { amount: format.laxExact, price: format.gasPrice })
  // What wasn't checked wasn't "checked here".
  const isOwn = !check.name.startsWith('unchecked.')
  return { severity: check.severity, message: t(`ui.check.${check.name}`, values), isOwn }
}
