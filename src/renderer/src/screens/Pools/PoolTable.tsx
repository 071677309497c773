// The pools in the order of failover, each with what can be done with it.
import { useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { PoolView } from '../../../../contract/fleet'
import { ConfirmDialog } from '../../components/ConfirmDialog'
import { ForeignText } from '../../components/HexText'
import { ScrollRegion } from '../../components/ScrollRegion'
import table from '../../components/Table.module.css'
import { useText } from '../../i18n/text'
import { selectCanControl } from '../../state/app-store'
import { useApp, useEnvironment, useFleet } from '../../state/environment'
import { selectPools } from '../../state/fleet-store'
import { PoolRow } from './PoolRow'
import styles from './Pools.module.css'
import { keptText, NOTHING, type Said, useMove } from './use-move'
import { type PoolSwitch, useSwitch } from './use-switch'

type Asked = { readonly kind: 'switch' | 'remove'; readonly pool: PoolView } | null

export function PoolTable() {
  const t = useText()
  const { backend } = useEnvironment()
  const pools = useFleet(selectPools)
  const canControl = useApp(selectCanControl)
  const poolSwitch = useSwitch()
  const [asked, setAsked] = useState<Asked>(null)
  const [said, setSaid] = useState<Said>(NOTHING)
  const poolMove = useMove(setSaid)
  const remove = ({ index, host }: PoolView): void => {
    setSaid(NOTHING)
    backend.call('miner.poolRemove', { index }).then(
      (kept) => setSaid({ isFailure: false, text: `${t('ui.pools.removed', { host })} ${keptText(kept, t)}` }),
      (error: unknown) => setSaid({ isFailure: true, text: t('ui.pools.removeFailed', { reason: messageOf(error) }) }),
    )
  }
  return (
    <>
      <ScrollRegion className={`${table.scroll} ${styles.pools}`} label={t('ui.pools.list')}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('ui.pools.order')}</th>
              <th scope="col">{t('ui.pools.address')}</th>
              <th scope="col">{t('ui.pools.login')}</th>
              <th scope="col">{t('ui.pools.state')}</th>
              {canControl && (
                <th scope="col">
                  <span className="visually-hidden">{t('ui.pools.actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {pools.map((pool) => (
              <PoolRow
                key={keyOf(pool, pools)}
                pool={pool}
                count={pools.length}
                poolSwitch={poolSwitch}
                poolMove={poolMove}
                onAsk={(kind) => setAsked({ kind, pool })}
              />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {said.text !== '' && (
        <p
          className={said.isFailure ? styles.failure : styles.said}
          role={said.isFailure ? 'alert' : 'status'}
          data-testid="pool-said"
        >
          <ForeignText text={said.text} />
        </p>
      )}
      <Question asked={asked} onSwitch={poolSwitch.begin} onRemove={remove} onClose={() => setAsked(null)} />
    </>
  )
}

/** A row keeps what it shows when it gets another place; addresses that look the same are told apart by it. */
function keyOf({ url, index }: PoolView, pools: readonly PoolView[]): string {
  return pools.filter((pool) => pool.url === url).length === 1 ? url : `${url} ${index}`
}

interface QuestionProps {
  readonly asked: Asked
  readonly onSwitch: PoolSwitch['begin']
  readonly onRemove: (pool: PoolView) => void
  readonly onClose: () => void
}

/** What is asked before the list is changed. */
function Question({ asked, onSwitch, onRemove, onClose }: QuestionProps) {
  const t = useText()
  const active = useFleet((state) => selectPools(state).find((pool) => pool.active))
  return (
    <>
      {asked?.kind === 'switch' && (
        <ConfirmDialog
          testId="pool-switch"
          title={t('ui.pools.switchTitle', { host: asked.pool.host })}
          action={t('ui.pools.switch')}
          onConfirm={() => onSwitch(asked.pool.index, asked.pool.host)}
          onClose={onClose}
        >
          {active === undefined ? t('ui.pools.switchTextNone') : t('ui.pools.switchText', { from: active.host })}
        </ConfirmDialog>
      )}
      {asked?.kind === 'remove' && (
        <ConfirmDialog
          testId="pool-remove"
          title={t('ui.pools.removeTitle', { host: asked.pool.host })}
          action={t('ui.pools.remove')}
          isDanger
          onConfirm={() => onRemove(asked.pool)}
          onClose={onClose}
        >
          {t('ui.pools.removeKept')}
        </ConfirmDialog>
      )}
    </>
  )
}
