// Simulated devices: added with one click where nothing of value is mined, and made to fail on purpose.
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { SimulatedFault } from '../../../../contract/miner'
import { Card } from '../../components/layout/Card'
import { type TextKey, useText } from '../../i18n/text'
import { useApp, useEnvironment, useMiner } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { selectDevice } from '../../state/stores/miner-store'
import { Button } from '../../widgets/controls/Button'
import styles from './Gpus.module.css'

const OFFERED = 2
const FAULTS: readonly SimulatedFault[] = [
  'overheat',
  'sensor-lost',
  'hang',
  'error',
  'out-of-memory',
  'wrong-result',
  'none',
]

/** Runs one call at a time; shows its error until the next. */
export function useAttempt() {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    setFailure('')
    try {
      await work()
    } catch (error: unknown) {
      setFailure(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, failure, attempt }
}

/** Renders nothing on a network of value, or once there are some. */
export function AddSimulated() {
  const t = useText()
  const { backend } = useEnvironment()
  const { isBusy, failure, attempt } = useAttempt()
  const isForTrying = useApp((state) => state.info?.network === 'practice' || state.info?.network === 'custom')
  const isOffered = useMiner(
    ({ status, devices }) =>
      status?.state === 'running' && devices?.devices.every((device) => device.backend !== 'simulated') === true,
  )
  const canControl = useApp(selectCanControl)
  if (!canControl || !isForTrying || !isOffered) return null
  return (
    <>
      <Button
        icon={<Plus aria-hidden="true" />}
        isBusy={isBusy}
        title={t('ui.simulated.why')}
        data-testid="add-simulated"
        onClick={() => void attempt(() => backend.call('miner.addSimulated', { count: OFFERED }))}
      >
        {t('ui.simulated.add')}
      </Button>
      {failure !== '' && <span role="alert">{failure}</span>}
    </>
  )
}

/** The faults of one device; nothing for a real one. */
export function SimulatedFaults({ index }: { readonly index: number }) {
  const t = useText()
  const { backend } = useEnvironment()
  const { isBusy, failure, attempt } = useAttempt()
  const isSimulated = useMiner((state) => selectDevice(index)(state)?.backend === 'simulated')
  if (!isSimulated) return null
  const keyOf = (fault: SimulatedFault): TextKey => `ui.simulated.fault.${fault}`
  return (
    <Card title={t('ui.simulated.faults')} testId="simulated-faults">
      <p>{t('ui.simulated.faultsText')}</p>
      <div className={styles.faults}>
        {FAULTS.map((fault) => (
          <Button
            key={fault}
            size="small"
            isBusy={isBusy}
            data-testid={`fault-${fault}`}
            onClick={() => void attempt(() => backend.call('miner.simulateFault', { device: index, fault }))}
          >
            {t(keyOf(fault))}
          </Button>
        ))}
      </div>
      {failure !== '' && <p role="alert">{failure}</p>}
    </Card>
  )
}
