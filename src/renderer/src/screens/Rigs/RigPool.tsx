// Where a rig's work goes, and what its pool warns about.
import type { RigFiguresView } from '../../../../contract/rigs'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import styles from './Rigs.module.css'

/** What a miner's API calls its own node. */
const OWN_NODE = 'local:0'

export function RigPool({ pool }: { readonly pool: RigFiguresView['pool'] | null }) {
  const t = useText()
  const format = useFormat()
  if (pool === null || pool.host === '') return format.text('count', null)
  return (
    <>
      {pool.host === OWN_NODE ? t('ui.overview.solo') : <ForeignText text={pool.host} />}
      {pool.warning !== '' && (
        <span className={styles.warning}>
          <ForeignText text={pool.warning} />
        </span>
      )}
    </>
  )
}
