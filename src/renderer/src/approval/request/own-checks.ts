// The checks of a request beside the signer's findings, in the reader's language.
import {
  type Check,
  type CheckInput,
  dataChecks,
  transactionChecks,
} from '../../../../contract/approval/approval-checks'
import type { Formatter } from '../../format/formatter'
import type { Text } from '../../i18n/text'
import type { Finding } from '../../widgets/incidents/SeverityList'

interface CheckWords {
  readonly t: Text
  readonly format: Formatter
}

/** Of a document or a text. */
export function ownDataFindings(input: Parameters<typeof dataChecks>[0], words: CheckWords): readonly Finding[] {
  return dataChecks(input).map((check) => inWords(check, words))
}

/** Of a transaction, in the order CRITICAL, WARNING, Info. */
export function ownFindings(input: CheckInput, words: CheckWords): readonly Finding[] {
  return transactionChecks(input).map((check) => inWords(check, words))
}

function inWords({ severity, name, values }: Check, { t, format }: CheckWords): Finding {
  const shown = Object.entries(values).map(([key, value]) => {
    if (typeof value !== 'bigint') return [key, value] as const
    return [key, key === 'price' || key === 'usual' ? format.gasPrice(value) : format.laxExact(value)] as const
  })
  return { severity, message: t(`ui.check.${name}`, Object.fromEntries(shown)), isOwn: true }
}
