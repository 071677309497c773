// Solo or with a pool: what waiting for a block means at this hashrate.

import { useEffect } from 'react'
import { Fact, Facts } from '../../components/layout/Card'
import { useText } from '../../i18n/text'
import { expectedSeconds } from '../../state/earnings/earnings'
import { useApp, useEnvironment, useMiner, useNode } from '../../state/environment'
import { useLatest } from '../../state/use-latest'
import { WAITING } from '../../state/welcome-plan'
import { Value } from '../../widgets/facts/Value'
import { Calculator } from '../Pools/income/Calculator'
import { PoolFields, useTypedPool } from '../Pools/PoolFields'
import { TestButton, TestResult, useTest } from '../Pools/PoolTest'
import { Options } from './Options'
import type { Planning } from './use-plan'
import styles from './Welcome.module.css'

/** After the last key. */
const TEST_AFTER_MS = 800

export function WorkStep({ planning }: { readonly planning: Planning }) {
  const t = useText()
  const { plan, change } = planning
  return (
    <>
      <Options
        label={t('ui.welcome.step.work')}
        value={plan.work}
        options={[
          { value: 'solo', title: t('ui.overview.solo'), text: t('ui.welcome.soloText') },
          { value: 'pool', title: t('ui.overview.pool'), text: t('ui.welcome.poolText') },
        ]}
        onChange={(work) => change({ work })}
      />
      {plan.work === 'solo' ? <Waiting planning={planning} /> : <PoolAddress planning={planning} />}
      <Estimate planning={planning} />
    </>
  )
}

/**
 * What each earns at the measured hashrate: on the node's current network, since the difficulty of others isn't known.
 */
function Estimate({ planning: { plan } }: { readonly planning: Planning }) {
  const network = useApp((state) => state.info?.network)
  return network === plan.network ? <Calculator /> : null
}

function Waiting({ planning: { plan } }: { readonly planning: Planning }) {
  const t = useText()
  const network = useApp((state) => state.info?.network)
  const difficulty = useNode((state) => state.head?.nextDifficulty ?? null)
  const hashrate = useMiner((state) => state.status?.hashrate.s60 ?? state.status?.hashrate.now ?? null)
  // The difficulty of another network is unknown until its headers arrive.
  const known = network === plan.network && difficulty !== null ? Number(difficulty) : null
  const mean = expectedSeconds(known, hashrate)
  if (network !== plan.network) return <p className={styles.text}>{t('ui.welcome.waitUnknown')}</p>
  const scaled = (factor: number) => (mean === null ? null : Math.max(1, mean * factor))
  return (
    <Facts>
      <Fact label={t('ui.overview.blockEvery')}>
        <Value kind="duration" value={scaled(1)} />
      </Fact>
      <Fact label={t('ui.welcome.wait10')}>
        <Value kind="duration" value={scaled(WAITING.p10)} />
      </Fact>
      <Fact label={t('ui.welcome.wait50')}>
        <Value kind="duration" value={scaled(WAITING.p50)} />
      </Fact>
      <Fact label={t('ui.welcome.wait90')}>
        <Value kind="duration" value={scaled(WAITING.p90)} />
      </Fact>
    </Facts>
  )
}

/** A whole address is tested without being asked, so that nobody starts with a pool that doesn't answer. */
function useTestWhileTyping(url: string, run: ReturnType<typeof useTest>['run']): void {
  const { clock } = useEnvironment()
  const latest = useLatest(run)
  useEffect(() => {
    if (!/^(?:[a-z0-9+]+:\/\/)?[^\s/]+:\d{2,5}(?:[/?].*)?$/i.test(url.trim())) return
    const timer = clock.setTimeout(() => latest.current(url.trim(), null), TEST_AFTER_MS)
    return () => timer.dispose()
  }, [url, clock])
}

function PoolAddress({ planning: { secrets, setPoolUrl } }: { readonly planning: Planning }) {
  const t = useText()
  const test = useTest()
  const { typed, change, text } = useTypedPool(secrets.poolUrl, (whole) => {
    setPoolUrl(whole)
    test.clear()
  })
  useTestWhileTyping(text, test.run)
  return (
    <>
      <PoolFields typed={typed} onChange={change} hint={t('ui.pools.addHint')} name="welcome-pool" />
      <TestButton test={test} url={text} disabledReason={text === '' ? t('ui.pools.addEmpty') : undefined} />
      <TestResult test={test} />
    </>
  )
}
