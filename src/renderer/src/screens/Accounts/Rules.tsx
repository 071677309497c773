// What is decided without asking: the vault, the passwords in it, the script, the policies. Everything here needs the
// right to decide requests; a locked vault decides nothing.
import { useText } from '../../i18n/text'
import { useApp, useSigner } from '../../state/environment'
import { selectCanApprove } from '../../state/stores/app-store'
import { Skeleton } from '../../widgets/facts/States'
import { BackLink } from '../BackLink'
import { Screen } from '../Screen'
import styles from './Accounts.module.css'
import { Policies } from './Policies'
import { ScriptRules, StoredPasswords, Vault } from './Vault'

export function Rules() {
  const t = useText()
  return (
    <Screen back={<BackLink route="/accounts">{t('ui.nav.accounts')}</BackLink>} title={t('ui.rules.title')}>
      <RuleTools />
    </Screen>
  )
}

/** Without the screen's title: the approval window shows it too. */
export function RuleTools() {
  const t = useText()
  const canApprove = useApp(selectCanApprove)
  const state = useSigner(({ vault }) => vault?.state ?? null)
  if (!canApprove) return <p className={styles.asOf}>{t('ui.signer.elsewhere')}</p>
  if (state === null) return <Skeleton lines={5} />
  if (state === 'off') return null
  return (
    <>
      <div className={styles.pair}>
        <Vault />
        <ScriptRules />
      </div>
      {state === 'open' && (
        <>
          <StoredPasswords />
          <Policies />
        </>
      )}
    </>
  )
}
