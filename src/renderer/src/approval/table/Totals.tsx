// The totals of the chosen payments.
import { Fact, Facts } from '../../components/layout/Card'
import { AddressText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { useNode } from '../../state/environment'
import { selectBalance } from '../../state/stores/node-store'
import { AmountText } from '../../widgets/facts/AmountText'
import { Party } from '../request/Party'
import type { AlikeGroup } from './alike'
import type { TableTotals } from './table-rows'
import { leadOf } from './use-table'

interface TotalsProps {
  readonly group: AlikeGroup
  readonly totals: TableTotals
}

export function Totals({ group, totals }: TotalsProps) {
  const t = useText()
  const format = useFormat()
  const from = leadOf(group).transaction?.from ?? ''
  const available = useNode(selectBalance(from))?.available ?? null
  const { count, receivers, amount, fee, cost } = totals
  return (
    <Facts>
      <Fact label={t('ui.together.chosen')}>
        <span data-testid="together-count" data-value={count}>
          {t('ui.together.chosenOf', { count, all: group.payments.length, receivers })}
        </span>
      </Fact>
      {group.token !== null && (
        <>
          <Fact label={t('ui.together.token')}>
            <AddressText address={group.token} form="grouped" />
          </Fact>
          <Fact label={t('ui.together.sumUnits')}>
            <code data-testid="together-sum">{amount.toString()}</code>
          </Fact>
        </>
      )}
      {group.token === null && (
        <Fact label={t('ui.together.sum')}>
          <AmountText wei={amount.toString()} form="exact" size="lead" testId="together-sum" />
        </Fact>
      )}
      <Fact label={t('ui.approval.fee')}>
        <AmountText wei={fee.toString()} form="exact" testId="together-fee" />
      </Fact>
      <Fact label={t('ui.approval.total')}>
        <AmountText wei={cost.toString()} form="exact" testId="together-total" />
      </Fact>
      <Fact label={t('ui.approval.from')}>
        <Party
          address={from}
          testId="together-from"
          more={t('ui.approval.available', { amount: format.laxExact(available === null ? null : BigInt(available)) })}
        />
      </Fact>
    </Facts>
  )
}
