// The list of keys.
import { Fragment } from 'react'
import { DialogModal } from '../../components/layout/Modal'
import { useText } from '../../i18n/text'
import { useCanControl, usePreference } from '../../state/environment'
import { useNavItems } from '../shell/use-nav-items'
import styles from './KeyHelp.module.css'

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const t = useText()
  const items = useNavItems()
  const canControl = useCanControl()
  const hasLetters = usePreference((preferences) => preferences.letterKeys)
  const command = isMac() ? '⌘' : 'Ctrl'
  return (
    <DialogModal title={t('ui.keys.title')} testId="key-help" onClose={onClose}>
      <dl>
        {items.map(({ name, key }) => (
          <Row key={name} title={t(`ui.nav.${name}`)} keys={['g', key]} />
        ))}
        <Row title={t('ui.palette.title')} keys={[command, 'K']} />
        <Row title={t('ui.incidents.title')} keys={['i']} />
        <Row title={t('ui.keys.filter')} keys={['/']} />
        <Row title={t('ui.keys.settings')} keys={[command, ',']} />
        {canControl && <Row title={t('ui.keys.pauseAll')} keys={[command, 'Shift', 'P']} />}
        <Row title={t('ui.keys.freeze')} keys={['.']} />
        <Row title={t('ui.keys.escape')} keys={['Esc']} />
        <Row title={t('ui.keys.title')} keys={['?']} />
      </dl>
      {!hasLetters && <p className={styles.note}>{t('ui.keys.lettersOff')}</p>}
    </DialogModal>
  )
}

function Row({ title, keys }: { readonly title: string; readonly keys: readonly string[] }) {
  return (
    <div className={styles.row}>
      <dt>{title}</dt>
      <dd>
        {keys.map((key, index) => (
          <Fragment key={key}>
            {index > 0 && ' '}
            <kbd>{key}</kbd>
          </Fragment>
        ))}
      </dd>
    </div>
  )
}

/** The name of the key beside the space bar on this computer. */
function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform)
}
