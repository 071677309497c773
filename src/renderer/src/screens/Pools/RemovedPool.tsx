// A removed pool can be put back with one press for ten seconds. The removal is real: undo adds it again.
import { Undo2 } from 'lucide-react'
import { useEffect } from 'react'
import { useText } from '../../i18n/text'
import { useApp, useEnvironment } from '../../state/environment'
import { selectIsOpen } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import styles from './Pools.module.css'

const UNDO_MS = 10_000

interface RemovedPoolProps {
  readonly host: string
  /** Says whether the change is in the config file. */
  readonly keptText: string
  readonly onUndo: () => void
  /** Called when the time is over. */
  readonly onOver: () => void
}

/** For one removal: give each one its own `key`. */
export function RemovedPool({ host, keptText, onUndo, onOver }: RemovedPoolProps) {
  const t = useText()
  const { clock } = useEnvironment()
  const isOpen = useApp(selectIsOpen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time runs once, from the removal on
  useEffect(() => {
    const timer = clock.setTimeout(onOver, UNDO_MS)
    return () => timer.dispose()
  }, [])
  return (
    <div className={styles.removed} role="status" data-testid="pool-removed">
      <span>
        {t('ui.pools.removed', { host })} {keptText}
      </span>
      <Button
        size="small"
        data-testid="pool-undo"
        disabledReason={isOpen ? undefined : t('ui.pause.noContact')}
        icon={<Undo2 aria-hidden="true" />}
        onClick={onUndo}
      >
        {t('ui.pause.undo')}
      </Button>
    </div>
  )
}
