// Simulated devices: added with one click where nothing of value is mined, and made to fail on purpose.
import { Plus } from 'lucide-react'
import type { SimulatedFault } from '../../../../contract/miner'
import { Card } from '../../components/layout/Card'
import { type TextKey, useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-answer'
import { useApp, useCanControl, useEnvironment, useMiner } from '../../state/environment'
import { selectDevice } from '../../state/stores/program-store'
import { Button, Failure } from '../../widgets/controls/Button'
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

/** Renders nothing on a network of value, or once there are some. */
export function AddSimulated() {
  const t = useText()
  const { backend } = useEnvironment()
  const { isBusy, failure, run } = useAttempt()
  const isForTrying = useApp((state) => state.info?.network === 'practice' || state.info?.network === 'custom')
  const isOffered = useMiner(
    ({ status, devices }) =>
      status?.state === 'running' && devices?.devices.every((device) => device.backend !== 'simulated') === true,
  )
  const canControl = useCanControl()
  if (!canControl || !isForTrying || !isOffered) return null
  return (
    <>
      <Button
        icon={<Plus aria-hidden="true" />}
        isBusy={isBusy}
        title={t('ui.simulated.why')}
        data-testid="add-simulated"
        onClick={() => run(() => backend.call('miner.addSimulated', { count: OFFERED }))}
      >
        {t('ui.simulated.add')}
      </Button>
      <Failure text={failure} />
    </>
  )
}

/** The faults of one device; nothing for a real one. */
export function SimulatedFaults({ index }: { readonly index: number }) {
  const t = useText()
  const { backend } = useEnvironment()
  const { isBusy, failure, run } = useAttempt()
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
            onClick={() => run(() => backend.call('miner.simulateFault', { device: index, fault }))}
          >
            {t(keyOf(fault))}
          </Button>
        ))}
      </div>
      <Failure text={failure} />
    </Card>
  )
}
