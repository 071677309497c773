// Exports blocks to a file on this computer, and imports them; only for users at the computer.
import { type FormEvent, useState } from 'react'
import type { BlockJobView } from '../../../../contract/node-control'
import { Failure } from '../../components/faults/Failure'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { type Text, useFormat, useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-attempt'
import { useEnvironment, useNode } from '../../state/environment'
import { Button } from '../../widgets/controls/Button'
import styles from './Node.module.css'

export function BlockFiles() {
  const canNameFiles = useNode((state) => state.control?.canNameFiles ?? false)
  const job = useNode((state) => state.control?.job ?? null)
  const t = useText()
  if (!canNameFiles) return null
  return (
    <Card title={t('ui.node.files')} testId="block-files">
      <p className={styles.soft}>{t('ui.node.filesText')}</p>
      <FileForm isRunning={job?.state === 'running'} />
      {job !== null && <Job job={job} />}
    </Card>
  )
}

interface Range {
  readonly first: string
  readonly last: string
}

function FileForm({ isRunning }: { readonly isRunning: boolean }) {
  const t = useText()
  const [range, setRange] = useState<Range>({ first: '0', last: '' })
  const { file, setFile, error, exportBlocks, importBlocks } = useFile(range)
  const submit = (event: FormEvent): void => event.preventDefault()
  const reason = isRunning ? t('ui.node.jobRuns') : undefined
  return (
    <form className={styles.addPeer} onSubmit={submit}>
      <TextField
        label={t('ui.node.file')}
        hint={t('ui.node.fileHint')}
        value={file}
        error={error}
        isMono
        maxLength={4096}
        data-testid="block-file"
        onChange={setFile}
      />
      <RangeFields range={range} onChange={setRange} />
      <div className={styles.buttons}>
        <Button needsContact disabledReason={reason} data-testid="export-blocks" onClick={exportBlocks}>
          {t('ui.node.export')}
        </Button>
        <Button needsContact disabledReason={reason} data-testid="import-blocks" onClick={importBlocks}>
          {t('ui.node.import')}
        </Button>
      </div>
    </form>
  )
}

function useFile(range: Range) {
  const t = useText()
  const { backend } = useEnvironment()
  const { failure, run, forget } = useAttempt()
  const [file, setFile] = useState('')
  const [fault, setFault] = useState('')
  const path = file.trim()
  /** With a file and, if `isGood`, nothing else missing. */
  const start = (bad: string, call: () => Promise<unknown>): void => {
    setFault(path === '' ? t('ui.node.fileMissing') : bad)
    if (path !== '' && bad === '') run(call)
  }
  const exportBlocks = (): void => {
    const heights = readRange(range)
    start(heights === null ? t('ui.node.rangeBad') : '', () =>
      backend.call('node.exportBlocks', { file: path, first: 0, last: null, ...heights }),
    )
  }
  const change = (text: string): void => {
    setFile(text)
    setFault('')
    forget()
  }
  const importBlocks = (): void => start('', () => backend.call('node.importBlocks', { file: path }))
  return { file, setFile: change, error: fault === '' ? failure : fault, exportBlocks, importBlocks }
}

function RangeFields({ range, onChange }: { readonly range: Range; readonly onChange: (range: Range) => void }) {
  const t = useText()
  return (
    <div className={styles.range}>
      <TextField
        label={t('ui.node.rangeFirst')}
        value={range.first}
        inputMode="numeric"
        maxLength={20}
        data-testid="export-first"
        onChange={(first) => onChange({ ...range, first })}
      />
      <TextField
        label={t('ui.node.rangeLast')}
        value={range.last}
        inputMode="numeric"
        placeholder={t('ui.node.rangeHead')}
        maxLength={20}
        data-testid="export-last"
        onChange={(last) => onChange({ ...range, last })}
      />
    </div>
  )
}

/** Null if these aren't two heights; an empty last one means the head. */
function readRange(range: Range) {
  const [first, last] = [range.first, range.last].map((text) => text.replace(/[\s.,'\u00a0\u202f]/g, ''))
  if (first === undefined || last === undefined || !/^\d{1,15}$/.test(first) || !/^\d{0,15}$/.test(last)) return null
  return { first: Number(first), last: last === '' ? null : Number(last) }
}

function Job({ job }: { readonly job: BlockJobView }) {
  const t = useText()
  const format = useFormat()
  const { backend } = useEnvironment()
  const { kind, file, state, share, error } = job
  const { failure, run } = useAttempt()
  return (
    <section className={styles.job} data-testid="block-job" data-state={state} aria-label={t(`ui.node.job.${kind}`)}>
      <p>
        {t(`ui.node.job.${kind}`)} <code className={styles.wraps}>{file}</code>
      </p>
      {state === 'running' && (
        <progress className={styles.jobBar} value={share} aria-label={t(`ui.node.job.${kind}`)} />
      )}
      <p role="status">{jobText(job, t, format.text('count', job.blocks))}</p>
      <Failure text={error} />
      {state === 'running' && (
        <div className={styles.buttons}>
          <Button
            size="small"
            needsContact
            data-testid="job-cancel"
            onClick={() => run(() => backend.call('node.cancelBlocks', {}))}
          >
            {t('ui.common.cancel')}
          </Button>
        </div>
      )}
      <Failure text={failure} />
    </section>
  )
}

function jobText({ kind, state }: BlockJobView, t: Text, blocks: string): string {
  if (state === 'cancelled') return t(`ui.node.job.${kind}Cancelled`, { blocks })
  return t(`ui.node.job.${state}`, { blocks })
}
