// What an account's amounts are made of: its balance in the latest block, and each reward that matures.
import { useLanguage, useText } from '../../i18n/text'
import { lockedRewards, useRecentBlocks } from '../../state/earnings/rewards'
import { useNode } from '../../state/environment'
import { selectBalance } from '../../state/stores/program-store'
import { ErrorState } from '../facts/States'
import { AmountText, Value } from '../facts/Value'
import { type WhyRow, WhyText } from './WhyText'

const MAX_ROWS = 3

export interface BalanceWhyProps {
  readonly of: 'available' | 'locked' | 'nextUnlock' | 'nonce'
  readonly address: string
  /** wei in block `asOf`, where the address isn't one of ours; absent = our account's. */
  readonly amounts?: { readonly available: string; readonly locked: string; readonly asOf: number }
}

export function BalanceWhy({ of, address, amounts }: BalanceWhyProps) {
  const { t, format } = useLanguage()
  const balance = useNode(selectBalance(address))
  const ownAsOf = useNode((state) => state.balances?.asOf ?? null)
  const maturity = useNode((state) => state.head?.maturityBlocks ?? 0)
  if (of === 'locked' || of === 'nextUnlock') return <Rewards of={of} address={address} maturity={maturity} />
  if (of === 'nonce') return <WhyText of="nonce" />
  const { available, locked, asOf } = amounts ?? { ...(balance ?? { available: null, locked: null }), asOf: ownAsOf }
  const total = available === null || locked === null ? null : String(BigInt(available) + BigInt(locked))
  return (
    <WhyText
      of="available"
      values={{ height: format.text('count', asOf) }}
      rows={[
        { label: t('ui.accounts.available'), value: <AmountText wei={available} form="list" /> },
        { label: t('ui.accounts.locked'), value: <AmountText wei={locked} form="list" /> },
        { label: t('ui.why.row.sum'), value: <AmountText wei={total} form="list" />, isResult: true },
      ]}
    />
  )
}

interface RewardsProps extends Pick<BalanceWhyProps, 'address'> {
  readonly of: 'locked' | 'nextUnlock'
  readonly maturity: number
}

/** The next rewards one by one, the rest in one row, and their sum. */
function Rewards({ of, address, maturity }: RewardsProps) {
  const t = useText()
  const head = useNode((state) => state.head?.head?.number ?? null)
  const { blocks, error } = useRecentBlocks()
  const rewards = head === null ? [] : lockedRewards(blocks, { address, head, maturity })
  if (error !== '') return <ErrorState title={t('ui.node.blocksFailed')} reason={error} />
  const sum = (some: typeof rewards): string => String(some.reduce((total, { amount }) => total + BigInt(amount), 0n))
  const shown = of === 'nextUnlock' ? rewards.slice(0, 1) : rewards.slice(0, MAX_ROWS)
  const rest = of === 'nextUnlock' ? [] : rewards.slice(MAX_ROWS)
  const rows: readonly WhyRow[] = [
    ...shown.map(({ unlockHeight, amount }) => ({
      label: t('ui.accounts.atHeight', { height: unlockHeight }),
      value: <AmountText wei={amount} form="list" />,
    })),
    ...(rest.length === 0
      ? []
      : [
          {
            label: t('ui.why.row.later', { count: rest.length }),
            value: <AmountText wei={sum(rest)} form="list" />,
          },
        ]),
  ]
  const result: WhyRow =
    of === 'locked'
      ? { label: t('ui.why.row.sum'), value: <AmountText wei={sum(rewards)} form="list" />, isResult: true }
      : {
          label: t('ui.why.row.blocksLeft'),
          value: (
            <Value
              kind="count"
              value={rewards[0] === undefined || head === null ? null : rewards[0].unlockHeight - head}
            />
          ),
          isResult: true,
        }
  return <WhyText of={of} values={{ count: maturity }} rows={rewards.length === 0 ? [] : [...rows, result]} />
}
