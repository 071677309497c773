// One command to the selected rigs: confirmed once, answered with one line per rig; nothing is rolled back.
import { Pause, Play, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../../../base/errors'
import type { ParamsOf, ResultOf } from '../../../../../base/wire/define'
import type { Contract } from '../../../../../contract/contract'
import type { RigView } from '../../../../../contract/rigs'
import { ForeignText } from '../../../components/values/HexText'
import { useText } from '../../../i18n/text'
import { useApp, useEnvironment } from '../../../state/environment'
import { selectIsOpen } from '../../../state/stores/app-store'
import { Button } from '../../../widgets/controls/Button'
import { ConfirmDialog } from '../../../widgets/controls/ConfirmDialog'
import styles from '../Rigs.module.css'
import { accessOf, type RigAccess } from './control-of'
import { refusalText } from './refusal-text'

type Action = ParamsOf<Contract, 'miner.rigCommand'>['action']
type Results = ResultOf<Contract, 'miner.rigCommand'>['results']

const actions: readonly Action[] = ['pause', 'resume', 'restart']
const icons = { pause: Pause, resume: Play, restart: RotateCw } as const

interface Answer {
  readonly action: Action
  readonly results: Results
  /** Why nothing was sent; empty if something was. */
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

/** In this order. `noControl` and `noToken` come last; they get the command too and answer for themselves. */
const groups: readonly RigAccess[] = ['open', 'offline', 'unknown', 'noControl', 'noToken']

/** Which rigs accept the command, and which won't, with the reason. */
function Targets({ chosen, action }: { readonly chosen: readonly RigView[]; readonly action: Action }) {
  const t = useText()
  return (
    <>
      <p>{t(`ui.rigs.confirmText.${action}`)}</p>
      <dl className={styles.targets}>
        {groups.map((access) => {
          const names = chosen.filter((rig) => accessOf(rig) === access).map((rig) => rig.name)
          return names.length === 0 ? null : (
            <div key={access} data-testid={`rig-targets-${access}`}>
              <dt className={access === 'open' ? styles.takes : styles.warning}>{t(`ui.rigs.target.${access}`)}</dt>
              <dd>
                <ForeignText text={names.join(', ')} />
              </dd>
            </div>
          )
        })}
      </dl>
    </>
  )
}

function Results({ answer: { action, results, reason } }: { readonly answer: Answer }) {
  const t = useText()
  if (reason !== '')
    return (
      <p className={styles.failed} role="alert" data-testid="rig-results">
        {t('ui.rigs.commandFailed', { reason })}
      </p>
    )
  return (
    <ul className={styles.results} role="status" aria-label={t('ui.rigs.results')} data-testid="rig-results">
      {results.map((result) => (
        <li key={result.rig} className={result.error === '' ? styles.done : styles.failed}>
          <ForeignText text={result.rig} />:{' '}
          {result.error === '' ? t(`ui.rigs.did.${action}`) : <ForeignText text={refusalText(result, t)} />}
        </li>
      ))}
    </ul>
  )
}
