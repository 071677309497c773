// The pools in the order of failover, each with what can be done with it.
import { ArrowRightLeft, Lock, LockOpen, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { PoolView } from '../../../../contract/fleet'
import { Button } from '../../components/Button'
import { ConfirmDialog } from '../../components/ConfirmDialog'
import { ForeignText } from '../../components/HexText'
import { ScrollRegion } from '../../components/ScrollRegion'
import { type Mark, StatePill, type Tone } from '../../components/StatePill'
import table from '../../components/Table.module.css'
import { useText } from '../../i18n/text'
import { selectCanControl, selectIsOpen } from '../../state/app-store'
import { useApp, useEnvironment, useFleet } from '../../state/environment'
import { selectPools } from '../../state/fleet-store'
import styles from './Pools.module.css'
import { TestButton, TestResult, useTest } from './PoolTest'
import { type PoolSwitch, useSwitch } from './use-switch'

const tones: Readonly<Record<PoolView['state'], Tone>> = {
  active: 'ok',
  connecting: 'info',
  idle: 'neutral',
  unusable: 'danger',
}
const marks: Readonly<Record<PoolView['state'], Mark>> = {
  active: 'ok',
  connecting: 'building',
  idle: 'waiting',
  unusable: 'error',
}

type Asked = { readonly kind: 'switch' | 'remove'; readonly pool: PoolView } | null

export function PoolTable() {
  const t = useText()
  const { backend } = useEnvironment()
  const pools = useFleet(selectPools)
  const canControl = useApp(selectCanControl)
  const poolSwitch = useSwitch()
  const [asked, setAsked] = useState<Asked>(null)
  const [failure, setFailure] = useState('')
  const remove = ({ index }: PoolView): void => {
    setFailure('')
    backend
      .call('miner.poolRemove', { index })
      .catch((error: unknown) => setFailure(t('ui.pools.removeFailed', { reason: messageOf(error) })))
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
                key={`${pool.index} ${pool.url}`}
                pool={pool}
                poolSwitch={poolSwitch}
                onAsk={(kind) => setAsked({ kind, pool })}
              />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {failure !== '' && (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
      <Question asked={asked} onSwitch={poolSwitch.begin} onRemove={remove} onClose={() => setAsked(null)} />
    </>
  )
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
          {t('ui.pools.removeText')}
        </ConfirmDialog>
      )}
    </>
  )
}

interface PoolRowProps {
  readonly pool: PoolView
  readonly poolSwitch: PoolSwitch
  readonly onAsk: (kind: 'switch' | 'remove') => void
}

function PoolRow({ pool, poolSwitch, onAsk }: PoolRowProps) {
  const t = useText()
  const canControl = useApp(selectCanControl)
  const test = useTest()
  return (
    <tr data-testid={`pool-row-${pool.index}`} data-state={pool.state} aria-current={pool.active || undefined}>
      <td>{pool.index + 1}</td>
      <th scope="row" className={styles.address}>
        <Encryption pool={pool} />
        <span>
          <code className={styles.host}>
            <ForeignText text={pool.host} />
          </code>
          <code className={styles.url}>
            <ForeignText text={pool.url} />
          </code>
        </span>
      </th>
      <td className={styles.login}>
        {pool.user === '' ? t('ui.pools.noUser') : <ForeignText text={pool.user} />}
        {pool.worker !== '' && <span className={styles.url}>{t('ui.pools.worker', { worker: pool.worker })}</span>}
      </td>
      <td className={styles.state}>
        <StatePill tone={tones[pool.state]} mark={marks[pool.state]} state={pool.state}>
          {t(`ui.pools.state.${pool.state}`)}
        </StatePill>
        {pool.lastFault !== '' && (
          <p className={styles.fault}>
            <ForeignText text={pool.lastFault} />
          </p>
        )}
        <SwitchMessage pool={pool} poolSwitch={poolSwitch} />
        <TestResult test={test} />
      </td>
      {canControl && (
        <td>
          <RowActions pool={pool} poolSwitch={poolSwitch} onAsk={onAsk}>
            <TestButton
              test={test}
              url={pool.url}
              name={t('ui.pools.testPool', { host: pool.host })}
              disabledReason={pool.url.includes(':***@') ? t('ui.pools.testMasked') : undefined}
            />
          </RowActions>
        </td>
      )}
    </tr>
  )
}

function RowActions({ pool, poolSwitch, onAsk, children }: PoolRowProps & { readonly children: ReactNode }) {
  const t = useText()
  const isOpen = useApp(selectIsOpen)
  const { state } = poolSwitch
  const isBusy = state.kind === 'pending'
  const noContact = isOpen ? undefined : t('ui.pause.noContact')
  return (
    <div className={styles.actions}>
      {!pool.active && (
        <Button
          size="small"
          data-testid={`pool-switch-${pool.index}`}
          data-state={state.kind !== 'idle' && state.index === pool.index ? state.kind : 'idle'}
          isBusy={isBusy}
          disabledReason={noContact}
          aria-label={t('ui.pools.switchTo', { host: pool.host })}
          icon={<ArrowRightLeft aria-hidden="true" />}
          onClick={() => onAsk('switch')}
        >
          {t(isBusy && state.index === pool.index ? 'ui.pools.switching' : 'ui.pools.switch')}
        </Button>
      )}
      {children}
      <Button
        size="small"
        variant="quiet"
        data-testid={`pool-remove-${pool.index}`}
        disabledReason={pool.active ? t('ui.pools.removeActive') : noContact}
        aria-label={t('ui.pools.removePool', { host: pool.host })}
        icon={<Trash2 aria-hidden="true" />}
        onClick={() => onAsk('remove')}
      />
    </div>
  )
}

function SwitchMessage({ pool, poolSwitch }: Pick<PoolRowProps, 'pool' | 'poolSwitch'>) {
  const t = useText()
  const { state } = poolSwitch
  if (state.kind === 'idle' || state.kind === 'pending' || state.index !== pool.index) return null
  return (
    <p className={styles.failure} role="alert">
      {state.kind === 'failed'
        ? t('ui.pools.switchFailed', { reason: state.reason })
        : t('ui.pools.switchUnconfirmed', { host: state.host })}
    </p>
  )
}

function Encryption({ pool }: { readonly pool: PoolView }) {
  const t = useText()
  const text = t(pool.tls ? (pool.verified ? 'ui.pools.tls' : 'ui.pools.notVerified') : 'ui.pools.plain')
  const Icon = pool.tls && pool.verified ? Lock : LockOpen
  return (
    <span className={styles.tls} title={text}>
      <Icon aria-hidden="true" />
      <span className="visually-hidden">{text}</span>
    </span>
  )
}
