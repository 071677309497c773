// Sends the node a request like any program. The node itself checks that the method neither signs nor changes anything.

import { type FormEvent, useId, useState } from 'react'
import { CONSOLE_LIMITS } from '../../../../../contract/explorer'
import { TextField } from '../../../components/forms/TextField'
import { Card } from '../../../components/layout/Card'
import { ScrollRegion } from '../../../components/layout/ScrollRegion'
import { CopyButton, ForeignText } from '../../../components/values/HexText'
import { useText } from '../../../i18n/text'
import { useAttempt, useCall } from '../../../state/answers/use-answer'
import { useEnvironment, useNode } from '../../../state/environment'
import { Button, Failure } from '../../../widgets/controls/Button'
import styles from '../Node.module.css'

interface Answer {
  readonly text: string
  readonly error: string
}

export function RpcConsole() {
  const t = useText()
  const [method, setMethod] = useState('eth_blockNumber')
  const [params, setParams] = useState('[]')
  const { answer, isBusy, ask } = useQuestion()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    ask(method.trim(), params)
  }
  return (
    <Card title={t('ui.node.console')} testId="rpc-console">
      <p className={styles.soft}>{t('ui.node.consoleText')}</p>
      <form className={styles.addPeer} onSubmit={submit}>
        <MethodField value={method} onChange={setMethod} />
        <TextField
          label={t('ui.node.params')}
          hint={t('ui.node.paramsHint')}
          value={params}
          isMono
          maxLength={CONSOLE_LIMITS.params}
          data-testid="console-params"
          onChange={setParams}
        />
        <Button type="submit" needsContact isBusy={isBusy} data-testid="console-ask">
          {t('ui.node.ask')}
        </Button>
      </form>
      <AnswerText answer={answer} />
    </Card>
  )
}

function useQuestion() {
  const { backend } = useEnvironment()
  const { isBusy, failure, run } = useAttempt()
  const [text, setText] = useState('')
  const ask = (method: string, params: string): void => {
    if (isBusy || backend.connection().kind !== 'open' || method === '') return
    run(async () => setText(indented((await backend.call('node.console', { method, params })).answer)))
  }
  return { answer: { text: failure === '' ? text : '', error: failure }, isBusy, ask }
}

/** Suggests the methods that the node accepts. */
function MethodField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const t = useText()
  const listId = useId()
  const nodeState = useNode((state) => state.head?.state ?? '')
  const methods = useCall('node.consoleMethods', {}, { mark: nodeState }).value?.methods ?? []
  return (
    <>
      <TextField
        label={t('ui.node.method')}
        value={value}
        list={listId}
        isMono
        maxLength={100}
        data-testid="console-method"
        onChange={onChange}
      />
      <datalist id={listId}>
        {methods.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

function AnswerText({ answer: { text, error } }: { readonly answer: Answer }) {
  const t = useText()
  return (
    <>
      <Failure text={error} testId="console-error" />
      {text !== '' && (
        <div className={styles.answer}>
          <ScrollRegion className={styles.bytes} label={t('ui.node.answer')}>
            <pre data-testid="console-answer">
              <ForeignText text={text} keepLines />
            </pre>
          </ScrollRegion>
          <CopyButton text={text} label={t('ui.node.answer')} />
        </div>
      )}
    </>
  )
}

/** Verbatim if it isn't JSON. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
