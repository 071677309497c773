// One account: what it holds, what is on its way, its history, and what can be done with it.
import { ArrowLeft } from 'lucide-react'
import { AmountText } from '../../components/AmountText'
import { Card } from '../../components/Card'
import { AddressText } from '../../components/HexText'
import { Identicon } from '../../components/Identicon'
import { QrCode } from '../../components/QrCode'
import { EmptyState, Skeleton } from '../../components/States'
import { Value } from '../../components/Value'
import { useText } from '../../i18n/text'
import { selectCanApprove } from '../../state/app-store'
import { useApp, useNode, useSigner } from '../../state/environment'
import { selectBalance } from '../../state/node-store'
import { Screen } from '../Screen'
import styles from './Accounts.module.css'
import { AuditRows, useAudit } from './AuditRows'
import { ChangePassword } from './Keys'
import { Maturity } from './Maturity'
import { SendForm } from './SendForm'
import { Sends } from './Sends'

const HISTORY = 100

export function Account({ address }: { readonly address: string }) {
  const t = useText()
  const isLoaded = useSigner((state) => state.accounts !== null)
  const isOwn = useSigner((state) =>
    (state.accounts?.accounts ?? []).some((account) => account.address.toLowerCase() === address),
  )
  const canApprove = useApp(selectCanApprove)
  return (
    <Screen
      title={t('ui.accounts.account')}
      actions={
        <a href="#/accounts">
          <ArrowLeft aria-hidden="true" size={14} /> {t('ui.nav.accounts')}
        </a>
      }
    >
      {!isLoaded && <Skeleton lines={5} />}
      {isLoaded && !isOwn && <EmptyState icon={ArrowLeft} title={t('ui.account.notOwn')} />}
      {isLoaded && isOwn && (
        <>
          <Head address={address} />
          <div className={styles.columns}>
            <SendForm address={address} />
            <Maturity address={address} />
          </div>
          <Sends address={address} />
          {canApprove ? (
            <>
              <History address={address} />
              <ChangePassword address={address} />
            </>
          ) : (
            <p className={styles.asOf}>{t('ui.signer.elsewhere')}</p>
          )}
        </>
      )}
    </Screen>
  )
}

function Head({ address }: { readonly address: string }) {
  const t = useText()
  const balance = useNode(selectBalance(address))
  return (
    <Card title={t('ui.account.receive')} testId={`account-${address}`}>
      <div className={styles.name}>
        <Identicon address={address} />
        <AddressText address={address} form="grouped" label={t('ui.accounts.address')} testId="receive-address" />
      </div>
      <QrCode text={address} label={t('ui.account.qr')} sizePx={132} />
      <dl className={styles.figures}>
        <div>
          <dt>{t('ui.accounts.available')}</dt>
          <dd>
            <AmountText wei={balance?.available} form="exact" size="lead" testId={`balance-available-${address}`} />
          </dd>
        </div>
        <div>
          <dt>{t('ui.accounts.locked')}</dt>
          <dd>
            <AmountText wei={balance?.locked} form="exact" testId={`balance-locked-${address}`} />
          </dd>
        </div>
        <div>
          <dt>{t('ui.accounts.nonce')}</dt>
          <dd>
            <Value kind="count" value={balance?.nonce} />
          </dd>
        </div>
      </dl>
    </Card>
  )
}

function History({ address }: { readonly address: string }) {
  const t = useText()
  const audit = useAudit(address, HISTORY)
  return (
    <Card title={t('ui.account.history')} testId="history">
      <AuditRows {...audit} />
    </Card>
  )
}
