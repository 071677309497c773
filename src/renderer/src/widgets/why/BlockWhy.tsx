// What the figures of a block are made of, in the chain or as it would be built now, and those of a transaction in it.
import type { ReactNode } from 'react'
import type { PoolReportView, ReceiptView } from '../../../../contract/explorer'
import type { BlockView } from '../../../../contract/node'
import { type Formatter, UNKNOWN } from '../../format/formatter'
import { type Text, useFormat, useText } from '../../i18n/text'
import { AmountText, Value } from '../facts/Value'
import { type Explained, type WhyRow, WhyText } from './WhyText'

interface Words {
  readonly t: Text
  readonly format: Formatter
}

type Rows<T> = Partial<Readonly<Record<Explained, (figures: T, words: Words) => readonly WhyRow[]>>>

const count = (value: number): ReactNode => <Value kind="count" value={value} />
const amount = (wei: string | null): ReactNode => <AmountText wei={wei} form="exact" />
const difficulty = (value: bigint): ReactNode => <Value kind="difficulty" value={Number(value)} />

const none = (): readonly WhyRow[] => []

/** Gas, its average price, and what both amount to. */
function feeRows(gas: number, fees: string | null, { t, format }: Words): readonly WhyRow[] {
  const price = fees === null || gas === 0 ? UNKNOWN : format.gasPrice(BigInt(fees) / BigInt(gas))
  return [
    { label: t('ui.node.gas'), value: count(gas) },
    { label: t('ui.why.row.averagePrice'), value: price },
    { label: t('ui.node.fees'), value: amount(fees), isResult: true },
  ]
}

function gasRows({ gasUsed, gasLimit }: Pick<BlockView, 'gasUsed' | 'gasLimit'>, { t }: Words): readonly WhyRow[] {
  return [
    { label: t('ui.why.row.used'), value: count(gasUsed) },
    { label: t('ui.why.row.limit'), value: count(gasLimit) },
    {
      label: t('ui.why.row.share'),
      value: <Value kind="percent" value={gasLimit === 0 ? null : (100 * gasUsed) / gasLimit} />,
      isResult: true,
    },
  ]
}

const BLOCK = {
  reward: ({ subsidy, fees }, { t }) => [
    { label: t('ui.node.subsidy'), value: amount(subsidy) },
    { label: t('ui.node.fees'), value: amount(fees) },
    {
      label: t('ui.why.row.sum'),
      value: amount(fees === null ? null : String(BigInt(subsidy) + BigInt(fees))),
      isResult: true,
    },
  ],
  subsidy: none,
  blockFees: ({ gasUsed, fees }, words) => feeRows(gasUsed, fees, words),
  unlock: ({ number, unlockHeight }, { t }) => [
    { label: t('ui.why.row.thisBlock'), value: count(number) },
    { label: t('ui.why.row.lockedFor'), value: count(unlockHeight - number) },
    { label: t('ui.node.unlock'), value: count(unlockHeight), isResult: true },
  ],
  blockGas: gasRows,
  blockSize: none,
  blockDifficulty: none,
  totalDifficulty: (block, { t }) => [
    {
      label: t('ui.why.row.before'),
      value: difficulty(BigInt(block.totalDifficulty) - BigInt(block.difficulty)),
    },
    { label: t('ui.why.row.thisBlock'), value: difficulty(BigInt(block.difficulty)) },
    { label: t('ui.why.row.sum'), value: difficulty(BigInt(block.totalDifficulty)), isResult: true },
  ],
  target: none,
  epoch: none,
} as const satisfies Rows<BlockView>

export function BlockWhy({ of, block }: { readonly of: keyof typeof BLOCK; readonly block: BlockView }) {
  const words = { t: useText(), format: useFormat() }
  return <WhyText of={of} rows={BLOCK[of](block, words)} />
}

const TRANSACTION = {
  txFee: ({ gasUsed, fee }, words) => feeRows(gasUsed, fee, words),
  txGas: none,
  cumulativeGas: ({ gasUsed, cumulativeGasUsed }, { t }) => [
    { label: t('ui.why.row.before'), value: count(cumulativeGasUsed - gasUsed) },
    { label: t('ui.node.transaction'), value: count(gasUsed) },
    { label: t('ui.why.row.sum'), value: count(cumulativeGasUsed), isResult: true },
  ],
} as const satisfies Rows<ReceiptView>

export function ReceiptWhy({ of, receipt }: { readonly of: keyof typeof TRANSACTION; readonly receipt: ReceiptView }) {
  const words = { t: useText(), format: useFormat() }
  return <WhyText of={of} rows={TRANSACTION[of](receipt, words)} />
}

type Template = NonNullable<PoolReportView['template']>

const NEXT = {
  nextHeight: ({ template }, { t }) => [
    { label: t('ui.why.row.ownHead'), value: count(template.number - 1) },
    { label: t('ui.node.template'), value: count(template.number), isResult: true },
  ],
  nextTransactions: ({ template, prices }, { t }) => {
    const pending = prices.reduce((sum, step) => sum + step.pending, 0)
    return [
      { label: t('ui.why.row.pending'), value: count(pending) },
      { label: t('ui.why.row.leftOver'), value: count(Math.max(0, pending - template.transactions)) },
      { label: t('ui.node.template'), value: count(template.transactions), isResult: true },
    ]
  },
  blockGas: ({ template }, words) => gasRows(template, words),
  blockFees: ({ template: { gasUsed, fees } }, words) => feeRows(gasUsed, fees, words),
  blockSize: none,
  /** One row per step of the histogram. */
  mempool: ({ prices }, { t, format }) => [
    ...prices.map(({ from, below, pending, queued }) => ({
      label: t('ui.node.gasStep', { from: format.gasPrice(BigInt(from)), below: format.gasPrice(BigInt(below)) }),
      value: count(pending + queued),
    })),
    {
      label: t('ui.why.row.sum'),
      value: count(prices.reduce((sum, { pending, queued }) => sum + pending + queued, 0)),
      isResult: true,
    },
  ],
} as const satisfies Rows<{ readonly template: Template; readonly prices: PoolReportView['prices'] }>

export interface NextBlockWhyProps {
  readonly of: keyof typeof NEXT
  readonly template: Template
  readonly prices: PoolReportView['prices']
}

/** Waiting transactions, and the block that would be built of them now. */
export function NextBlockWhy({ of, template, prices }: NextBlockWhyProps) {
  const words = { t: useText(), format: useFormat() }
  return <WhyText of={of} rows={NEXT[of]({ template, prices }, words)} />
}
