// One command to the selected rigs: says first what it stops, then each answer; a pause can be taken back as it was.
import { Pause, Play, RotateCw, Undo2, X } from 'lucide-react'
import { Fragment, useState } from 'react'
import type { RigView } from '../../../../../contract/rigs'
import { ForeignText } from '../../../components/values/HexText'
import { useLanguage, useText } from '../../../i18n/text'
import { useAttempt } from '../../../state/answers/use-answer'
import { useEnvironment, useIsOpen } from '../../../state/environment'
import { Button, Failure } from '../../../widgets/controls/Button'
import { ConfirmDialog } from '../../../widgets/controls/ConfirmDialog'
import styles from '../Rigs.module.css'
import table from '../RigTable.module.css'
import { type Action, accessOf, commandRigs, type Done, type RigAccess, refusalText, takeBack } from './rig-commands'

const actions: readonly Action[] = ['pause', 'resume', 'restart']
const icons = { pause: Pause, resume: Play, restart: RotateCw } as const

interface Answer extends Done {
  readonly action: Action
}

interface RigCommandsProps {
  readonly chosen: readonly RigView[]
  readonly onClear: () => void
}

export function RigCommands({ chosen, onClear }: RigCommandsProps) {
  const { t, format } = useLanguage()
  const isOpen = useIsOpen()
  const { busy, failure, answer, send, undo } = useCommands()
  const [asked, setAsked] = useState<Action | null>(null)
  if (chosen.length === 0 && answer === null) return null
  const off = isOpen ? (chosen.length === 0 ? t('ui.rigs.selectFirst') : undefined) : t('ui.pause.noContact')
  const gpus = chosen.reduce((sum, { figures }) => sum + (figures?.gpus.length ?? 0), 0)
  const running = chosen.reduce((sum, rig) => sum + runningOf(rig), 0)
  const rate = chosen.reduce((sum, { figures, online }) => sum + (online ? (figures?.hashrate.s60 ?? 0) : 0), 0)
  return (
    <div className={table.bulk} role="toolbar" aria-label={t('ui.rigs.selectedTools')} data-testid="rig-commands">
      <span role="status">
        <b>{t('ui.rigs.selected', { count: chosen.length })}</b>{' '}
        {chosen.length > 0 && (
          <span className={table.faint}>{t('ui.rigs.gpusAndRate', { gpus, rate: format.text('hashrate', rate) })}</span>
        )}
      </span>
      <ActionButtons busy={busy} off={off} onAsk={setAsked} />
      <Button
        variant="quiet"
        size="small"
        data-testid="rig-clear"
        icon={<X aria-hidden="true" />}
        aria-label={t('ui.rigs.clear')}
        onClick={() => {
          send(null)
          onClear()
        }}
      />
      {asked !== null && (
        <ConfirmDialog
          testId="rig-confirm"
          title={t(`ui.rigs.confirm.${asked}`, { count: chosen.length })}
          action={t(`ui.rigs.command.${asked}`)}
          onConfirm={() => send({ action: asked, chosen })}
          onClose={() => setAsked(null)}
        >
          <p>
            {t(`ui.rigs.confirmText.${asked}`)}{' '}
            {asked !== 'resume' && t('ui.rigs.stops', { gpus: running, rate: format.text('hashrate', rate) })}
          </p>
          <Targets chosen={chosen} />
        </ConfirmDialog>
      )}
      {answer !== null && <Results answer={answer} isBusy={busy} failure={failure} onUndo={undo} />}
    </div>
  )
}

/** GPUs that a command can stop: an offline rig's may have stopped long ago. */
function runningOf({ online, figures }: RigView): number {
  return online ? (figures?.gpus.filter(({ paused }) => !paused).length ?? 0) : 0
}

interface ActionButtonsProps {
  readonly busy: boolean
  /** Why they can't be pressed now. */
  readonly off: string | undefined
  readonly onAsk: (action: Action) => void
}

function ActionButtons({ busy, off, onAsk }: ActionButtonsProps) {
  const t = useText()
  return (
    <>
      {actions.map((action) => {
        const Icon = icons[action]
        return (
          <Button
            key={action}
            variant="quiet"
            size="small"
            data-testid={`rig-${action}-selected`}
            isBusy={busy}
            disabledReason={off}
            icon={<Icon aria-hidden="true" />}
            onClick={() => onAsk(action)}
          >
            {t(`ui.rigs.command.${action}`)}
          </Button>
        )
      })}
    </>
  )
}

/** Sends one command at a time, and remembers what takes the last one back. */
function useCommands() {
  const { backend } = useEnvironment()
  const { isBusy: busy, failure, attempt } = useAttempt()
  const [answer, setAnswer] = useState<Answer | null>(null)
  const run = (action: Action, work: () => Promise<Done>): void => {
    setAnswer({ action, results: [], undo: [] })
    void attempt(async () => setAnswer({ action, ...(await work()) }), 'ui.rigs.commandFailed')
  }
  /** Null forgets the last answer. */
  const send = (wanted: { readonly action: Action; readonly chosen: readonly RigView[] } | null): void => {
    if (wanted === null) {
      setAnswer(null)
      return
    }
    const { action, chosen } = wanted
    run(action, () => commandRigs(backend, action, chosen))
  }
  const undo = (): void => {
    if (answer === null) return
    const back = answer.action === 'pause' ? 'resume' : 'pause'
    run(back, () => takeBack(backend, answer.undo))
  }
  return { busy, failure, answer, send, undo }
}

/** In this order. `noControl` and `noToken` come last; they get the command too and answer for themselves. */
const groups: readonly RigAccess[] = ['open', 'offline', 'unknown', 'noControl', 'noToken']

/** Of each group: the answers must stay in sight. */
const MAX_NAMED = 24

/** Which rigs accept the command, and which won't, with the reason. */
function Targets({ chosen }: Pick<RigCommandsProps, 'chosen'>) {
  const t = useText()
  return (
    <dl className={styles.targets}>
      {groups.map((access) => {
        const names = chosen.filter((rig) => accessOf(rig) === access).map((rig) => rig.name)
        const shown = names.slice(0, MAX_NAMED)
        const more = names.length - shown.length
        return names.length === 0 ? null : (
          <div key={access} data-testid={`rig-targets-${access}`}>
            <dt className={access === 'open' ? styles.takes : styles.warning}>{t(`ui.rigs.target.${access}`)}</dt>
            <dd>
              {shown.map((name, index) => (
                <Fragment key={name}>
                  {index > 0 && ' '}
                  <span className={styles.whole}>
                    <ForeignText text={name} />
                    {index < shown.length - 1 && ','}
                  </span>
                </Fragment>
              ))}
              {more > 0 && ` ${t('ui.rigs.awayMore', { count: more })}`}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

interface ResultsProps {
  readonly answer: Answer
  readonly isBusy: boolean
  readonly failure: string
  readonly onUndo: () => void
}

/** Each failure in a line; what worked as one number, with the way back. */
function Results({ answer: { action, results, undo }, isBusy, failure, onUndo }: ResultsProps) {
  const t = useText()
  if (failure !== '') return <Failure text={failure} testId="rig-results" />
  if (isBusy) return null
  return (
    <>
      <ul className={table.results} role="status" aria-label={t('ui.rigs.results')} data-testid="rig-results">
        {[...results]
          .sort((one, other) => Number(one.error === '') - Number(other.error === ''))
          .map((result, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a rig may answer for several of its GPUs
            <li key={index} className={result.error === '' ? styles.done : styles.failed}>
              <ForeignText text={result.rig} />:{' '}
              {result.error === '' ? t(`ui.rigs.did.${action}`) : <ForeignText text={refusalText(result, t)} />}
            </li>
          ))}
      </ul>
      {undo.length > 0 && (
        <Button
          size="small"
          data-testid="rig-undo"
          isBusy={isBusy}
          icon={<Undo2 aria-hidden="true" />}
          onClick={onUndo}
        >
          {t('ui.rigs.undo')}
        </Button>
      )}
    </>
  )
}
