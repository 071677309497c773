// What a transaction did inside: its calls or instructions, executed again on request and within limits.
import { type ReactNode, useEffect, useState } from 'react'
import { messageOf } from '../../../../../base/errors'
import { TRACE_LIMITS, type TraceCallView, type TraceStepView, type TraceView } from '../../../../../contract/explorer'
import { Failure } from '../../../components/faults/Failure'
import { Card } from '../../../components/layout/Card'
import table from '../../../components/tables/Table.module.css'
import { VirtualTable } from '../../../components/tables/VirtualTable'
import { AddressText, ForeignText } from '../../../components/values/HexText'
import { type Text, useFormat, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useAttempt } from '../../../state/answers/use-attempt'
import { useEnvironment } from '../../../state/environment'
import { Button } from '../../../widgets/controls/Button'
import { AmountText } from '../../../widgets/facts/AmountText'
import styles from '../Node.module.css'

const ROW_PX = 32
const MAX_PX = 420
/** Deeper calls are indented no further. */
const MAX_INDENT = 12

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly what: TraceView['kind'] }
  | { readonly kind: 'done'; readonly trace: TraceView }
  | { readonly kind: 'failed'; readonly reason: string }

export function Trace({ hash }: { readonly hash: string }) {
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
  const t = useText()
  const format = useFormat()
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
