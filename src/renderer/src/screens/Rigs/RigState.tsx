// Online, or offline since when, with the rig's own words.

import { useCallback, useSyncExternalStore } from 'react'
import type { RigView } from '../../../../contract/rigs'
import { ForeignText } from '../../components/values/HexText'
import { type Text, useLanguage } from '../../i18n/text'
import { OWN_NODE } from '../../state/stores/program-store'
import { StatePill } from '../../widgets/facts/StatePill'
import styles from './Rigs.module.css'

export function RigState({ rig }: { readonly rig: RigView }) {
  const { t, format } = useLanguage()
  const age = rig.ageSeconds === null ? null : format.age(rig.ageSeconds * 1000)
  const word = rig.online ? 'ui.rigs.online' : age === null ? 'ui.rigs.never' : 'ui.rigs.offline'
  return (
    <>
      <StatePill tone={rig.online ? 'ok' : 'danger'} mark={rig.online ? 'ok' : 'error'}>
        {t(word)}
      </StatePill>
      {age !== null && !rig.local && (
        <span className={styles.sub} data-testid={`rig-age-${rig.name}`} data-value={rig.ageSeconds ?? ''}>
          {rig.online ? age : t('ui.rigs.lastSeen', { age })}
        </span>
      )}
      {rig.error !== '' && (
        <p className={styles.error} data-testid={`rig-error-${rig.name}`}>
          <ForeignText text={rig.error} />
        </p>
      )}
    </>
  )
}

/** What a rig mines on. @param host as its API names it */
export const poolName = (host: string, t: Text): string => (host === OWN_NODE ? t('ui.overview.solo') : host)

export function useMedia(text: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = window.matchMedia(text)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    [text],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(text).matches)
}
