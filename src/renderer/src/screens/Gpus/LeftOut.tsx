// Devices that exist but aren't used, and GPU drivers that could not be loaded, with the reason.
import type { InventoryView } from '../../../../contract/miner'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useInventory } from '../../state/use-device-facts'
import { StatePill } from '../../widgets/facts/StatePill'
import styles from './Gpus.module.css'

/**
 * Renders nothing if every device is used. Missing drivers matter only if no GPU was found: most computers have GPUs of
 * one maker.
 */
export function LeftOut({ hasGpu }: { readonly hasGpu: boolean }) {
  const inventory = useInventory()
  if (inventory === null) return null
  const missing = hasGpu ? [] : inventory.missing
  if (inventory.excluded.length + missing.length === 0) return null
  return (
    <ul className={styles.leftOut} data-testid="gpus-left-out">
      <ExcludedDevices excluded={inventory.excluded} />
      <MissingDrivers missing={missing} />
    </ul>
  )
}

function ExcludedDevices({ excluded }: { readonly excluded: InventoryView['excluded'] }) {
  const t = useText()
  return excluded.map(({ name, pci, backend, driver }) => (
    <li key={`${backend} ${pci} ${name}`}>
      <StatePill tone="neutral" mark="excluded" state="excluded">
        {t('ui.gpuState.excluded')}
      </StatePill>
      <span>
        <ForeignText text={name} />
        <span className={styles.sub}>
          {[t(`ui.backend.${backend}`), pci, driver].filter((part) => part !== '').join(' · ')}
        </span>
      </span>
      <span className={styles.hint}>{t('ui.gpus.excludedText')}</span>
    </li>
  ))
}

function MissingDrivers({ missing }: { readonly missing: InventoryView['missing'] }) {
  const t = useText()
  return missing.map(({ backend, reason }) => (
    <li key={backend}>
      <StatePill tone="neutral" mark="attention" state="missing">
        {t('ui.gpus.noDriver', { backend: t(`ui.backend.${backend}`) })}
      </StatePill>
      <span className={styles.hint}>
        <ForeignText text={reason} />
      </span>
    </li>
  ))
}
