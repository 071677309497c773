// One transaction, in a block or still waiting for one.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { SearchX } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { messageOf } from '../../../../../base/errors'
import { toHex } from '../../../../../base/hex'
import {
  type LogView,
  type ReceiptView,
  TRACE_LIMITS,
  type TraceCallView,
  type TraceStepView,
  type TraceView,
} from '../../../../../contract/explorer'
import type { TransactionRowView } from '../../../../../contract/node'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import table from '../../../components/tables/Table.module.css'
import { VirtualTable } from '../../../components/tables/VirtualTable'
import { AddressText, ForeignText, HashText } from '../../../components/values/HexText'
import { spelledAddress } from '../../../format/bytes-text'
import { type Text, useFormat, useLanguage, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useAttempt, useCall } from '../../../state/answers/use-answer'
import { useEnvironment } from '../../../state/environment'
import { Button, Failure } from '../../../widgets/controls/Button'
import { AnswerState, EmptyState } from '../../../widgets/facts/States'
import { AmountText } from '../../../widgets/facts/Value'
import { ReceiptWhy } from '../../../widgets/why/BlockWhy'
import { WhyText } from '../../../widgets/why/WhyText'
import { Screen } from '../../Screen'
import styles from '../Node.module.css'
import { BackToNode } from './Block'
import { resultKey } from './TransactionList'

export function Transaction({ hash }: { readonly hash: string }) {
  const t = useText()
  const answer = useCall('node.transaction', { hash })
  const transaction = answer.value?.transaction
  return (
    <>
      <BackToNode />
      <AnswerState answer={answer} failed="ui.node.transactionFailed" lines={6} />
      {transaction === null && <EmptyState icon={SearchX} title={t('ui.node.noSuchTransaction')} />}
      {transaction != null && <TransactionPage transaction={transaction} />}
    </>
  )
}

function TransactionPage({ transaction }: { readonly transaction: TransactionRowView }) {
  const { t, format } = useLanguage()
  return (
    <Screen title={t('ui.node.transaction')}>
      <Card title={t(resultKey(transaction))} testId="transaction-detail">
        <Facts>
          <Fact label={t('ui.node.hash')}>
            <HashText hex={transaction.hash} isFull label={t('ui.node.hash')} />
          </Fact>
          <Fact label={t('ui.node.block')}>
            {transaction.blockNumber === null ? (
              t('ui.node.pending')
            ) : (
              <a href={hrefOf(`/node/block/${transaction.blockNumber}`)}>
                {format.text('count', transaction.blockNumber)}
              </a>
            )}
          </Fact>
          <Fact label={t('ui.node.from')}>
            <AddressText
              address={transaction.from}
              form="grouped"
              label={t('ui.node.from')}
              href={hrefOf(`/node/address/${transaction.from}`)}
            />
          </Fact>
          <Fact label={t('ui.node.to')}>
            {transaction.to === null ? (
              t('ui.node.creation')
            ) : (
              <AddressText
                address={transaction.to}
                form="grouped"
                label={t('ui.node.to')}
                href={hrefOf(`/node/address/${transaction.to}`)}
              />
            )}
          </Fact>
          <Fact label={t('ui.node.value')}>
            <AmountText wei={transaction.value} form="exact" />
          </Fact>
          <NumberFacts transaction={transaction} />
          <Fact label={t('ui.node.input')}>
            <HashText hex={transaction.input} isFull />
          </Fact>
        </Facts>
      </Card>
      <Receipt hash={transaction.hash} isPending={transaction.blockNumber === null} />
      {transaction.blockNumber !== null && <Trace key={transaction.hash} hash={transaction.hash} />}
    </Screen>
  )
}

function NumberFacts({ transaction }: { readonly transaction: TransactionRowView }) {
  const { t, format } = useLanguage()
  return (
    <>
      <Fact label={t('ui.node.gasPrice')} why={<WhyText of="txGasPrice" />}>
        {format.gasPrice(BigInt(transaction.gasPrice))}
      </Fact>
      <Fact label={t('ui.node.gas')} why={<WhyText of="txGas" />}>
        {format.text('count', transaction.gasUsed)}
      </Fact>
      <Fact label={t('ui.node.nonce')} why={<WhyText of="txNonce" />}>
        {format.everyDigit(transaction.nonce)}
      </Fact>
    </>
  )
}

/** The result of a transaction: gas, fee, what it created, and its logs. */
function Receipt({ hash, isPending }: { readonly hash: string; readonly isPending: boolean }) {
  const t = useText()
  const answer = useCall('node.receipt', isPending ? null : { hash })
  const receipt = isPending ? null : answer.value?.receipt
  return (
    <>
      <Card title={t('ui.node.receipt')} testId="receipt">
        {receipt === null && <p className={styles.soft}>{t('ui.node.receiptNone')}</p>}
        {!isPending && <AnswerState answer={answer} failed="ui.node.receiptFailed" lines={4} />}
        {receipt != null && <ReceiptFacts receipt={receipt} />}
      </Card>
      {receipt != null && <Logs logs={receipt.logs} />}
    </>
  )
}

function ReceiptFacts({ receipt }: { readonly receipt: ReceiptView }) {
  const { t, format } = useLanguage()
  return (
    <Facts>
      <Fact label={t('ui.node.result')}>{t(receipt.succeeded ? 'ui.node.succeeded' : 'ui.node.reverted')}</Fact>
      <Fact label={t('ui.node.fee')} why={<ReceiptWhy of="txFee" receipt={receipt} />}>
        <AmountText wei={receipt.fee} form="exact" />
      </Fact>
      <Fact label={t('ui.node.gas')} why={<ReceiptWhy of="txGas" receipt={receipt} />}>
        {format.text('count', receipt.gasUsed)}
      </Fact>
      <Fact label={t('ui.node.cumulativeGas')} why={<ReceiptWhy of="cumulativeGas" receipt={receipt} />}>
        {format.text('count', receipt.cumulativeGasUsed)}
      </Fact>
      <Fact label={t('ui.node.placeInBlock')}>{format.text('count', receipt.index)}</Fact>
      {receipt.contractAddress !== null && (
        <Fact label={t('ui.node.createdContract')}>
          <AddressText
            address={receipt.contractAddress}
            form="grouped"
            label={t('ui.node.createdContract')}
            href={hrefOf(`/node/address/${receipt.contractAddress}`)}
          />
        </Fact>
      )}
    </Facts>
  )
}

function Logs({ logs }: { readonly logs: readonly LogView[] }) {
  const t = useText()
  return (
    <Card title={t('ui.node.logs')} testId="logs">
      {logs.length === 0 && <p className={styles.soft}>{t('ui.node.logsNone')}</p>}
      {logs.map((log) => (
        <Log key={log.index} log={log} />
      ))}
    </Card>
  )
}

function Log({ log }: { readonly log: LogView }) {
  const t = useText()
  const words = readLog(log)
  return (
    <section className={styles.log} aria-label={t('ui.node.logTitle', { index: log.index })}>
      <Facts>
        <Fact label={t('ui.node.logTitle', { index: log.index })}>
          <AddressText address={log.address} form="grouped" href={hrefOf(`/node/address/${log.address}`)} />
        </Fact>
        {words !== null && (
          <Fact label={t('ui.node.logEvent')}>
            <code data-testid="log-event">{words.signature}</code>
          </Fact>
        )}
        {words?.values.map((value) => (
          <Fact key={value.name} label={value.name}>
            <Meaning value={value} />
          </Fact>
        ))}
      </Facts>
      {words === null ? (
        <RawLog log={log} />
      ) : (
        <>
          <p className={styles.soft}>{t('ui.node.logGuess')}</p>
          <details>
            <summary>{t('ui.node.logRaw')}</summary>
            <RawLog log={log} />
          </details>
        </>
      )}
    </section>
  )
}

function Meaning({ value: { type, value } }: { readonly value: LogValue }) {
  if (type !== 'address') return <code className={styles.wraps}>{value}</code>
  return <AddressText address={value} form="grouped" href={hrefOf(`/node/address/${value.toLowerCase()}`)} />
}

function RawLog({ log }: { readonly log: LogView }) {
  const t = useText()
  return (
    <Facts>
      {log.topics.map((topic, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a topic's place is what tells it apart
        <Fact key={index} label={t('ui.node.topic', { index })}>
          <HashText hex={topic} isFull />
        </Fact>
      ))}
      <Fact label={t('ui.node.logData')}>
        <HashText hex={log.data} isFull />
      </Fact>
    </Facts>
  )
}

/** Well-known events of tokens and of contracts that have an owner; a value is `type name`, indexed ones with a `*`. */
const EVENTS = [
  'Transfer(address* from,address* to,uint256 amount)',
  'Transfer(address* from,address* to,uint256* tokenId)',
  'Approval(address* owner,address* spender,uint256 amount)',
  'Approval(address* owner,address* approved,uint256* tokenId)',
  'ApprovalForAll(address* owner,address* operator,bool approved)',
  'TransferSingle(address* operator,address* from,address* to,uint256 id,uint256 amount)',
  'Deposit(address* to,uint256 amount)',
  'Withdrawal(address* from,uint256 amount)',
  'OwnershipTransferred(address* from,address* to)',
  'Paused(address account)',
  'Unpaused(address account)',
]

type ValueType = 'address' | 'uint256' | 'bool'

interface EventField {
  readonly name: string
  readonly type: ValueType
  readonly isIndexed: boolean
}

interface KnownEvent {
  readonly topic: string
  readonly signature: string
  readonly fields: readonly EventField[]
}

interface LogValue {
  readonly name: string
  readonly type: ValueType
  /** An address with its checksum, a decimal number, `true` or `false`. */
  readonly value: string
}

const known: readonly KnownEvent[] = EVENTS.map(readEvent)

function readEvent(text: string): KnownEvent {
  const [, name = '', list = ''] = /^(\w+)\((.*)\)$/.exec(text) ?? []
  const fields = list.split(',').map((part): EventField => {
    const [type = '', field = ''] = part.split(' ')
    return { name: field, type: type.replace('*', '') as ValueType, isIndexed: type.endsWith('*') }
  })
  const signature = `${name}(${fields.map(({ type }) => type).join(',')})`
  return { signature, fields, topic: toHex(keccak_256(new TextEncoder().encode(signature))) }
}

/** Null for a log of an unknown event, or one that doesn't decode exactly. */
export function readLog({ topics, data }: Pick<LogView, 'topics' | 'data'>) {
  for (const event of known) {
    if (event.topic !== topics[0]) continue
    const values = valuesOf(event, topics.slice(1), data)
    if (values !== null) return { signature: event.signature, values }
  }
  return null
}

function valuesOf({ fields }: KnownEvent, topics: readonly string[], data: string): readonly LogValue[] | null {
  const indexed = fields.filter(({ isIndexed }) => isIndexed).length
  if (topics.length !== indexed || data.length !== 2 + 64 * (fields.length - indexed)) return null
  const places = { topic: 0, word: 0 }
  const values: LogValue[] = []
  for (const { name, type, isIndexed } of fields) {
    const word = isIndexed
      ? (topics[places.topic++]?.slice(2) ?? '')
      : data.slice(2 + 64 * places.word, 2 + 64 * ++places.word)
    const value = valueText(type, word)
    if (value === null) return null
    values.push({ name, type, value })
  }
  return values
}

/** Null for a word that isn't a value of the type. @param word 64 hex digits */
function valueText(type: ValueType, word: string): string | null {
  if (type === 'address') return /^0{24}/.test(word) ? spelledAddress(`0x${word.slice(24)}`) : null
  const number = BigInt(`0x${word}`)
  if (type === 'uint256') return number.toString()
  return number > 1n ? null : String(number === 1n)
}

const ROW_PX = 32
const MAX_PX = 420
/** Deeper calls are indented no further. */
const MAX_INDENT = 12

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly what: TraceView['kind'] }
  | { readonly kind: 'done'; readonly trace: TraceView }
  | { readonly kind: 'failed'; readonly reason: string }

/** What a transaction did inside: its calls or instructions, executed again on request and within limits. */
function Trace({ hash }: { readonly hash: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const { failure, run: attempt } = useAttempt()
  const run = async (what: TraceView['kind']): Promise<void> => {
    setState({ kind: 'running', what })
    try {
      setState({ kind: 'done', trace: await backend.call('node.trace', { hash, kind: what }) })
    } catch (error: unknown) {
      setState({ kind: 'failed', reason: messageOf(error) })
    }
  }
  const isRunning = state.kind === 'running'
  // Leaving the page cancels its trace.
  useEffect(() => {
    if (!isRunning) return
    return () => void backend.call('node.cancelTrace', {}).catch(() => undefined)
  }, [backend, isRunning])
  return (
    <Card title={t('ui.node.trace')} testId="trace">
      <p className={styles.soft}>{t('ui.node.traceText', { seconds: TRACE_LIMITS.ms / 1000 })}</p>
      <div className={styles.buttons}>
        {(['calls', 'steps'] as const).map((what) => (
          <Button
            key={what}
            needsContact
            isBusy={isRunning}
            data-testid={`trace-${what}`}
            onClick={() => void run(what)}
          >
            {t(`ui.node.trace.${what}`)}
          </Button>
        ))}
        {isRunning && (
          <Button
            variant="quiet"
            data-testid="trace-cancel"
            onClick={() => attempt(() => backend.call('node.cancelTrace', {}))}
          >
            {t('ui.common.cancel')}
          </Button>
        )}
      </div>
      <p role="status">{isRunning && t('ui.node.traceRunning')}</p>
      <Failure text={state.kind === 'failed' ? state.reason : failure} />
      {state.kind === 'done' && <Found trace={state.trace} />}
    </Card>
  )
}

function Found({ trace }: { readonly trace: TraceView }) {
  const t = useText()
  const most = trace.kind === 'calls' ? TRACE_LIMITS.calls : TRACE_LIMITS.steps
  return (
    <>
      {trace.isCut && <p className={styles.soft}>{t('ui.node.traceCut', { count: most })}</p>}
      {trace.kind === 'calls' ? <Calls calls={trace.calls} /> : <Steps steps={trace.steps} />}
    </>
  )
}

function Rows(props: {
  readonly count: number
  readonly names: readonly (readonly [name: string, isNumber: boolean])[]
  readonly row: (index: number) => ReactNode
}) {
  const t = useText()
  const { count, names, row } = props
  return (
    <VirtualTable
      label={t('ui.node.trace')}
      count={count}
      rowPx={ROW_PX}
      heightPx={Math.min(MAX_PX, (count + 1) * ROW_PX)}
      head={
        <tr>
          {names.map(([name, isNumber]) => (
            <th key={name} scope="col" className={isNumber ? table.number : undefined}>
              {name}
            </th>
          ))}
        </tr>
      }
      row={row}
    />
  )
}

function Calls({ calls }: { readonly calls: readonly TraceCallView[] }) {
  const t = useText()
  const names = [
    [t('ui.node.traceCall'), false],
    [t('ui.node.to'), false],
    [t('ui.node.value'), true],
    [t('ui.node.gas'), true],
    [t('ui.node.input'), false],
    [t('ui.node.result'), false],
  ] as const
  return (
    <Rows
      count={calls.length}
      names={names}
      row={(index) => {
        const call = calls[index]
        return call === undefined ? null : <CallRow key={index} call={call} />
      }}
    />
  )
}

function CallRow({ call }: { readonly call: TraceCallView }) {
  const { t, format } = useLanguage()
  const { depth, kind, to, value, gasUsed, error } = call
  return (
    <tr data-testid="trace-row">
      <th scope="row" style={{ paddingInlineStart: `${16 + 14 * Math.min(depth, MAX_INDENT)}px` }}>
        <span className="visually-hidden">{t('ui.node.traceDepth', { depth })}</span>
        <code>{kind}</code>
      </th>
      <td>{to !== null && <AddressText address={to} form="short" href={hrefOf(`/node/address/${to}`)} />}</td>
      <td className={table.number}>{value !== null && <AmountText wei={value} form="list" />}</td>
      <td className={table.number}>{format.text('count', gasUsed)}</td>
      <td>
        <code>{inputText(call, t)}</code>
      </td>
      <td className={error === '' ? undefined : styles.bad}>
        {error === '' ? t('ui.node.succeeded') : <ForeignText text={error} />}
      </td>
    </tr>
  )
}

function inputText({ selector, inputBytes }: TraceCallView, t: Text): string {
  if (inputBytes === 0) return ''
  const bytes = t('ui.approval.bytes', { count: inputBytes })
  return selector === '' ? bytes : `${selector} · ${bytes}`
}

function Steps({ steps }: { readonly steps: readonly TraceStepView[] }) {
  const t = useText()
  const names = [
    [t('ui.node.tracePlace'), true],
    [t('ui.node.traceOperation'), false],
    [t('ui.node.traceGasLeft'), true],
    [t('ui.node.traceCost'), true],
    [t('ui.node.traceDepthHead'), true],
    [t('ui.node.result'), false],
  ] as const
  if (steps.length === 0) return <p className={styles.soft}>{t('ui.node.traceNoSteps')}</p>
  return (
    <Rows
      count={steps.length}
      names={names}
      row={(index) => {
        const step = steps[index]
        return step === undefined ? null : <StepRow key={index} step={step} />
      }}
    />
  )
}

function StepRow({ step: { pc, op, gas, gasCost, depth, error } }: { readonly step: TraceStepView }) {
  const format = useFormat()
  return (
    <tr data-testid="trace-row">
      <td className={table.number}>{pc}</td>
      <td>
        <code>{op}</code>
      </td>
      <td className={table.number}>{format.text('count', gas)}</td>
      <td className={table.number}>{format.text('count', gasCost)}</td>
      <td className={table.number}>{depth}</td>
      <td className={styles.bad}>
        <ForeignText text={error} />
      </td>
    </tr>
  )
}
