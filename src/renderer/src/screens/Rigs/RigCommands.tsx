// One command to the chosen rigs: asked for once, answered by one line a rig; nothing is rolled back.
import { Pause, Play, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { ParamsOf, ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import type { RigView } from '../../../../contract/fleet'
import { Button } from '../../components/Button'
import { ConfirmDialog } from '../../components/ConfirmDialog'
import { ForeignText } from '../../components/HexText'
import { useText } from '../../i18n/text'
import { selectIsOpen } from '../../state/app-store'
import { useApp, useEnvironment } from '../../state/environment'
import styles from './Rigs.module.css'

type Action = ParamsOf<Contract, 'miner.rigCommand'>['action']
type Results = ResultOf<Contract, 'miner.rigCommand'>['results']

const actions: readonly Action[] = ['pause', 'resume', 'restart']
const icons = { pause: Pause, resume: Play, restart: RotateCw } as const

interface Answer {
  readonly action: Action
  readonly results: Results
  /** Why nothing was sent; empty when something was. */
  readonly reason: string
}

export function RigCommands({ chosen }: { readonly chosen: readonly RigView[] }) {
  const t = useText()
  const { backend } = useEnvironment()
  const isOpen = useApp(selectIsOpen)
  const [asked, setAsked] = useState<Action | null>(null)
  const [busy, setBusy] = useState<Action | null>(null)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const send = async (action: Action): Promise<void> => {
    setBusy(action)
    setAnswer(null)
    try {
      const rigs = chosen.map((rig) => rig.name)
      const { results } = await backend.call('miner.rigCommand', { rigs, action, gpu: null })
      setAnswer({ action, results, reason: '' })
    } catch (error: unknown) {
      setAnswer({ action, results: [], reason: messageOf(error) })
    }
    setBusy(null)
  }
  const off = isOpen ? (chosen.length === 0 ? t('ui.rigs.selectFirst') : undefined) : t('ui.pause.noContact')
  return (
    <div className={styles.commands} data-testid="rig-commands">
      <span className={styles.soft} role="status">
        {t('ui.rigs.selected', { count: chosen.length })}
      </span>
      {actions.map((action) => {
        const Icon = icons[action]
        return (
          <Button
            key={action}
            size="small"
            data-testid={`rig-${action}-selected`}
            isBusy={busy !== null}
            disabledReason={off}
            icon={<Icon aria-hidden="true" />}
            onClick={() => setAsked(action)}
          >
            {t(`ui.rigs.command.${action}`)}
          </Button>
        )
      })}
      {asked !== null && (
        <ConfirmDialog
          testId="rig-confirm"
          title={t(`ui.rigs.confirm.${asked}`, { count: chosen.length })}
          action={t(`ui.rigs.command.${asked}`)}
          onConfirm={() => void send(asked)}
          onClose={() => setAsked(null)}
        >
          <Targets chosen={chosen} action={asked} />
        </ConfirmDialog>
      )}
      {answer !== null && <Results answer={answer} />}
    </div>
  )
}

/** Which rigs, and which of them will say no. */
function Targets({ chosen, action }: { readonly chosen: readonly RigView[]; readonly action: Action }) {
  const t = useText()
  const closed = chosen.filter((rig) => rig.figures !== null && !rig.figures.control)
  return (
    <>
      <p>{t(`ui.rigs.confirmText.${action}`)}</p>
      <p>
        <ForeignText text={chosen.map((rig) => rig.name).join(', ')} />
      </p>
      {closed.length > 0 && (
        <p className={styles.warning}>
          {t('ui.rigs.willRefuse')} <ForeignText text={closed.map((rig) => rig.name).join(', ')} />
        </p>
      )}
    </>
  )
}

function Results({ answer: { results, reason } }: { readonly answer: Answer }) {
  const t = useText()
  if (reason !== '')
    return (
      <p className={styles.failed} role="alert" data-testid="rig-results">
        {t('ui.rigs.commandFailed', { reason })}
      </p>
    )
  return (
    <ul className={styles.results} role="status" aria-label={t('ui.rigs.results')} data-testid="rig-results">
      {results.map(({ rig, error }) => (
        <li key={rig} className={error === '' ? styles.done : styles.failed}>
          <ForeignText text={rig} />: {error === '' ? t('ui.rigs.done') : <ForeignText text={error} />}
        </li>
      ))}
    </ul>
  )
}
