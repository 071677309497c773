// Every block of the canonical chain, newest first; only those in view are rendered and requested.

import { Blocks as BlocksIcon, GitFork } from 'lucide-react'
import { type FormEvent, useCallback, useMemo, useRef, useState } from 'react'
import type { ReorgView } from '../../../../../contract/explorer'
import type { BlockRowView } from '../../../../../contract/node'
import type { BlockJobView } from '../../../../../contract/node-control'
import { TextField } from '../../../components/forms/TextField'
import { Card } from '../../../components/layout/Card'
import { VirtualTable } from '../../../components/tables/VirtualTable'
import { AddressText, HashText } from '../../../components/values/HexText'
import { type Text, useFormat, useLanguage, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useAttempt, useCall } from '../../../state/answers/use-answer'
import { useEnvironment, useNode } from '../../../state/environment'
import { Button, Failure } from '../../../widgets/controls/Button'
import { ConfirmDialog } from '../../../widgets/controls/ConfirmDialog'
import { BLOCK_COLUMNS, BlockHead, BlockRow } from '../../../widgets/facts/BlockList'
import { AnswerState, EmptyState, ErrorState, Skeleton } from '../../../widgets/facts/States'
import { Age } from '../../../widgets/facts/Value'
import styles from '../Node.module.css'

const ROW_PX = 40
const HEAD_PX = 36
/** Whole rows: a sliver of the next one would look like a fault. */
const HEIGHT_PX = HEAD_PX + 14 * ROW_PX

export function Blocks() {
  const answered = useReorgs()
  const reorgs = answered.value?.reorgs ?? NO_REORGS
  const forks = useMemo(() => new Set(reorgs.flatMap(({ removed }) => removed.map(({ number }) => number))), [reorgs])
  return (
    <>
      <BlockTable forks={forks} />
      <Reorgs reorgs={reorgs} answered={answered} />
      <BlockFiles />
      <GoBack />
    </>
  )
}

const NO_REORGS: readonly ReorgView[] = []

/** @param forks heights at which a different block was canonical before */
function BlockTable({ forks }: { readonly forks: ReadonlySet<number> }) {
  const { t, format } = useLanguage()
  const { head, at, need } = useBlockRows()
  const error = useNode((state) => state.blocksError)
  const onRange = useCallback(
    (first: number, last: number) => head !== null && need(head - first, head - last),
    [head, need],
  )
  return (
    <Card title={t('ui.node.allBlocks')} isFlush={head !== null} testId="node-blocks">
      {error !== '' && <ErrorState title={t('ui.node.blocksFailed')} reason={error} />}
      {head === null && error === '' && <Waiting />}
      {head !== null && (
        <VirtualTable
          label={t('ui.node.allBlocks')}
          count={head + 1}
          rowPx={ROW_PX}
          heightPx={HEIGHT_PX}
          head={<BlockHead isCompact={false} />}
          onRange={onRange}
          row={(index) => {
            const height = head - index
            const block = at(height)
            if (block !== undefined)
              return <BlockRow key={height} block={block} isCompact={false} hasFork={forks.has(height)} />
            return (
              <tr key={height}>
                <th scope="row">{format.text('count', height)}</th>
                <td colSpan={BLOCK_COLUMNS - 1} className={styles.soft}>
                  {t('ui.node.blockLoading')}
                </td>
              </tr>
            )
          }}
        />
      )}
    </Card>
  )
}

function Waiting() {
  const t = useText()
  const isEmpty = useNode((state) => state.blocks?.length === 0)
  return isEmpty ? <EmptyState icon={BlocksIcon} title={t('ui.node.noBlocks')} /> : <Skeleton lines={8} />
}

const PAGE = 100

function useBlockRows() {
  const { backend } = useEnvironment()
  const newest = useNode((state) => state.blocks)
  const [older, setOlder] = useState<ReadonlyMap<number, BlockRowView>>(new Map())
  /** The head at which each page was read: an answer that lacks blocks isn't requested over and over. */
  const asked = useRef(new Map<number, number>())
  const head = newest?.[0]?.number ?? null
  const covered = newest?.[newest.length - 1]?.number ?? null

  const ask = useCallback(
    async (page: number, at: number): Promise<void> => {
      asked.current.set(page, at)
      try {
        const { blocks } = await backend.call('node.blocks', { from: page * PAGE + PAGE - 1, count: PAGE })
        setOlder((before) => new Map([...before, ...blocks.map((block) => [block.number, block] as const)]))
      } catch {
        // The next scroll, or the next block, reads again.
        asked.current.delete(page)
      }
    },
    [backend],
  )
  const need = useCallback(
    (highest: number, lowest: number): void => {
      if (covered === null || head === null) return
      const wanted = new Set<number>()
      for (let height = Math.max(0, lowest); height <= Math.min(highest, covered - 1); height++)
        if (!older.has(height)) wanted.add(Math.floor(height / PAGE))
      for (const page of wanted) if (asked.current.get(page) !== head) void ask(page, head)
    },
    [ask, covered, head, older],
  )
  const at = useCallback(
    (height: number): BlockRowView | undefined =>
      head === null ? undefined : (newest?.[head - height] ?? older.get(height)),
    [newest, older, head],
  )
  return { head, at, need }
}

/** Read again at each new head, which is when a reorg can happen. */
function useReorgs() {
  const mark = useNode(({ head }) => head?.head?.hash ?? '')
  return useCall('node.reorgs', {}, { mark })
}

interface ReorgsProps {
  readonly reorgs: readonly ReorgView[]
  readonly answered: ReturnType<typeof useReorgs>
}

function Reorgs({ reorgs, answered }: ReorgsProps) {
  const t = useText()
  return (
    <Card title={t('ui.node.reorgs')} testId="reorgs">
      <AnswerState answer={answered} failed="ui.node.reorgsFailed" lines={1} />
      {answered.value !== null && reorgs.length === 0 && <p className={styles.soft}>{t('ui.node.reorgsNone')}</p>}
      {reorgs.length > 0 && (
        <ul className={styles.reorgs}>
          {reorgs.map((reorg) => (
            <Reorg key={`${reorg.at} ${reorg.added[0]?.hash}`} reorg={reorg} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Reorg({ reorg: { at, ancestor, removed, added } }: { readonly reorg: ReorgView }) {
  const { t, format } = useLanguage()
  return (
    <li data-testid="reorg">
      <p className={styles.reorgHead}>
        <GitFork aria-hidden="true" />
        <span>{t('ui.node.reorgText', { count: removed.length, height: format.text('count', ancestor) })}</span>
        <span className={styles.soft}>
          <Age time={at} />
        </span>
      </p>
      <div className={styles.branches}>
        <Branch title={t('ui.node.branchLeft')} blocks={removed} />
        <Branch title={t('ui.node.branchTaken')} blocks={added} />
      </div>
    </li>
  )
}

function Branch({ title, blocks }: { readonly title: string; readonly blocks: readonly BlockRowView[] }) {
  const format = useFormat()
  return (
    <section aria-label={title}>
      <h3 className={styles.branchTitle}>{title}</h3>
      <ol className={styles.branch}>
        {blocks.map(({ hash, number, miner }) => (
          <li key={hash}>
            <span>{format.text('count', number)}</span>
            <HashText hex={hash} href={hrefOf(`/node/block/${hash}`)} />
            <AddressText address={miner} form="short" href={hrefOf(`/node/address/${miner}`)} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Rewinds the chain to an older block; only for users at the computer, and after a dialog that says what is lost. */
function GoBack() {
  const t = useText()
  const isHere = useNode((state) => state.control?.canNameFiles ?? false)
  const head = useNode((state) => state.head?.head?.number ?? null)
  const { text, change, error, asked, ask, drop, goBack } = useGoBack(head)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    ask()
  }
  if (!isHere || head === null) return null
  return (
    <Card title={t('ui.node.goBack')} testId="go-back">
      <p className={styles.soft}>{t('ui.node.goBackText')}</p>
      <form className={styles.addPeer} onSubmit={submit}>
        <TextField
          label={t('ui.node.goBackTo')}
          value={text}
          error={error}
          inputMode="numeric"
          maxLength={20}
          data-testid="go-back-number"
          onChange={change}
        />
        <div className={styles.buttons}>
          <Button type="submit" needsContact data-testid="go-back-ask">
            {t('ui.node.goBackAction')}
          </Button>
        </div>
      </form>
      {asked !== null && <Question number={asked} head={head} onConfirm={() => goBack(asked)} onClose={drop} />}
    </Card>
  )
}

function Question({
  number,
  head,
  onConfirm,
  onClose,
}: {
  readonly number: number
  readonly head: number
  readonly onConfirm: () => void
  readonly onClose: () => void
}) {
  const { t, format } = useLanguage()
  return (
    <ConfirmDialog
      title={t('ui.node.goBackTitle', { number: format.text('count', number) })}
      action={t('ui.node.goBackAction')}
      isDanger
      testId="go-back-dialog"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{t('ui.node.goBackLost', { count: Math.max(0, head - number), head: format.text('count', head) })}</p>
    </ConfirmDialog>
  )
}

function useGoBack(head: number | null) {
  const t = useText()
  const { backend } = useEnvironment()
  const [text, setText] = useState('')
  const [fault, setFault] = useState('')
  const { failure, run, forget } = useAttempt()
  const [asked, setAsked] = useState<number | null>(null)
  const change = (next: string): void => {
    setText(next)
    setFault('')
    forget()
  }
  const ask = (): void => {
    const digits = text.replace(/[\s.,'\u00a0\u202f]/g, '')
    const number = /^\d{1,15}$/.test(digits) ? Number(digits) : null
    if (number === null || head === null || number >= head) setFault(t('ui.node.goBackBad'))
    else setAsked(number)
  }
  return {
    text,
    change,
    error: fault === '' ? failure : fault,
    asked,
    ask,
    drop: () => setAsked(null),
    goBack: (number: number): void =>
      run(async () => {
        await backend.call('node.goBack', { number })
        change('')
      }),
  }
}

/** Exports blocks to a file on this computer, and imports them; only for users at the computer. */
function BlockFiles() {
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
  const { t, format } = useLanguage()
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
