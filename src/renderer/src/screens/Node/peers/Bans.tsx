// Temporarily banned nodes, and what they did.
import { useState } from 'react'
import { messageOf } from '../../../../../base/errors'
import { Card } from '../../../components/layout/Card'
import { ForeignText, HashText } from '../../../components/values/HexText'
import { useFormat, useText } from '../../../i18n/text'
import { useEnvironment, useNode, useNow } from '../../../state/environment'
import { Button } from '../../../widgets/controls/Button'
import styles from '../Node.module.css'

export function Bans({ canControl }: { readonly canControl: boolean }) {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const { backend } = useEnvironment()
  const bans = useNode((state) => state.peers?.bans ?? null)
  const [error, setError] = useState('')
  if (bans === null || bans.length === 0) return null
  const lift = (id: string): void => {
    setError('')
    backend.call('node.liftBan', { id }).catch((failure: unknown) => setError(messageOf(failure)))
  }
  return (
    <Card title={t('ui.node.bans')} testId="node-bans">
      <ul className={styles.bans}>
        {bans.map(({ id, reason, endsAt }) => (
          <li key={id}>
            <HashText hex={`0x${id}`} />
            <span>
              <ForeignText text={reason} />
            </span>
            <span className={styles.soft}>
              {t('ui.node.banEnds', { time: format.text('duration', Math.max(0, (endsAt - now) / 1000)) })}
            </span>
            {canControl && (
              <Button size="small" variant="quiet" needsContact onClick={() => lift(id)}>
                {t('ui.node.banLift')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {error !== '' && (
        <p className={styles.bad} role="alert">
          {error}
        </p>
      )}
    </Card>
  )
}
