// The keystore's accounts, their balances, and the requests that wait for a decision.

import { FileWarning, Plus, ShieldAlert, Wallet } from 'lucide-react'
import type { AccountView } from '../../../../contract/signer'
import { Card } from '../../components/layout/Card'
import { Note } from '../../components/layout/Note'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import table from '../../components/tables/Table.module.css'
import { CopyButton, ForeignText } from '../../components/values/HexText'
import { Identicon } from '../../components/values/Identicon'
import { useFormat, useText } from '../../i18n/text'
import { goTo } from '../../navigation/router'
import { type Attempt, useAttempt } from '../../state/answers/use-attempt'
import { useApp, useEnvironment, useNode, useSigner } from '../../state/environment'
import { selectCanApprove, selectCanControl } from '../../state/stores/app-store'
import { selectBalance } from '../../state/stores/node-store'
import { selectNote } from '../../state/stores/signer-store'
import { AccountLink } from '../../widgets/controls/AccountLink'
import { Button } from '../../widgets/controls/Button'
import { Age } from '../../widgets/facts/Age'
import { AmountText } from '../../widgets/facts/AmountText'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/facts/States'
import { Value } from '../../widgets/facts/Value'
import { Screen } from '../Screen'
import styles from './Accounts.module.css'
import { BackupMark } from './Backup'
import { Callers } from './Callers'
import { ImportAccount } from './Keys'
import { Watched } from './Watched'

export function Accounts() {
  const t = useText()
  const accounts = useSigner((state) => state.accounts)
  const asOf = useNode((state) => state.balances?.asOf ?? null)
  const asking = useAttempt()
  return (
    <Screen title={t('ui.nav.accounts')} actions={<Actions asking={asking} />}>
      <Unconfined />
      {asking.failure !== '' && <ErrorState title={t('ui.accounts.newFailed')} reason={asking.failure} />}
      {accounts === null && <Skeleton lines={5} />}
      {accounts !== null && accounts.accounts.length === 0 && (
        <Card title={t('ui.accounts.keystore')}>
          <EmptyState icon={Wallet} title={t('ui.accounts.none')}>
            {t('ui.accounts.noneText')}
          </EmptyState>
        </Card>
      )}
      {accounts !== null && accounts.accounts.length > 0 && (
        <Card
          title={t('ui.accounts.keystore')}
          isFlush
          aside={asOf !== null && <span className={styles.asOf}>{t('ui.overview.asOf', { height: asOf })}</span>}
        >
          <AccountTable />
        </Card>
      )}
      {accounts !== null && (
        <p className={styles.path}>
          {t('ui.accounts.folder')} <code>{accounts.keystore}</code>
        </p>
      )}
      <Problems />
      {accounts !== null && (
        <div className={styles.pair}>
          <Watched />
          <Callers />
        </div>
      )}
      <ImportAccount />
    </Screen>
  )
}

/** What protects the keys here less than elsewhere. */
function Unconfined() {
  const t = useText()
  const reason = useApp(({ status }) => status?.unconfined ?? null)
  if (reason === null) return null
  return (
    <Note tone="warn" icon={ShieldAlert} testId="unconfined">
      {t('ui.accounts.unconfined', { reason })}
    </Note>
  )
}

function Actions({ asking }: { readonly asking: Attempt }) {
  const t = useText()
  return (
    <>
      <a href="#/accounts/rules" data-testid="open-rules">
        {t('ui.rules.title')}
      </a>
      <NewAccount asking={asking} />
    </>
  )
}

function AccountTable() {
  const t = useText()
  const accounts = useSigner((state) => state.accounts?.accounts ?? [])
  return (
    <ScrollRegion className={table.scroll} label={t('ui.nav.accounts')}>
      <table className={`${table.table} ${styles.accounts}`}>
        <thead>
          <tr>
            <th scope="col">{t('ui.accounts.account')}</th>
            <th scope="col" className={table.number}>
              {t('ui.accounts.available')}
            </th>
            <th scope="col" className={table.number}>
              {t('ui.accounts.locked')}
            </th>
            <th scope="col" className={table.number}>
              {t('ui.accounts.nonce')}
            </th>
            <th scope="col">{t('ui.backup.title')}</th>
            <th scope="col">{t('ui.accounts.lastUsed')}</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <AccountRow key={account.file === '' ? account.address : account.file} account={account} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** What is special about an account, such as how it signs. */
function Tags({ account: { address, files, device } }: { readonly account: AccountView }) {
  const t = useText()
  const key = address.toLowerCase()
  const coinbase = useNode((state) => state.head?.coinbase ?? null)
  const isAlways = useSigner(({ switches }) => (switches?.always ?? []).some((each) => each.toLowerCase() === key))
  return (
    <div className={styles.tags}>
      {coinbase?.toLowerCase() === key && <span className={styles.tag}>{t('ui.accounts.coinbase')}</span>}
      {device !== undefined && (
        <span className={styles.tag} data-testid={`device-${key}`}>
          {t(device.kind === 'ledger' ? 'ui.accounts.device' : 'ui.accounts.carried', { path: device.path })}
        </span>
      )}
      {isAlways && (
        <span className={styles.bad} data-testid={`always-${key}`}>
          {t('ui.accounts.always')}
        </span>
      )}
      {files > 1 && <span className={styles.bad}>{t('ui.accounts.ambiguous', { count: files })}</span>}
    </div>
  )
}

function AccountRow({ account }: { readonly account: AccountView }) {
  const { address } = account
  const t = useText()
  const format = useFormat()
  const key = address.toLowerCase()
  const balance = useNode(selectBalance(address))
  const note = useSigner(selectNote(address))
  const label = note?.label ?? ''
  return (
    <tr data-testid={`account-${key}`}>
      <th scope="row">
        <span className={styles.name}>
          <Identicon address={address} />
          <span className={styles.party}>
            {label !== '' && (
              <strong data-testid={`label-${key}`}>
                <ForeignText text={label} />
              </strong>
            )}
            <AccountLink address={address} />
          </span>
          <CopyButton text={address} label={t('ui.accounts.address')} />
        </span>
        <Tags account={account} />
      </th>
      <td className={table.number} data-label={t('ui.accounts.available')}>
        <AmountText wei={balance?.available} form="list" testId={`balance-available-${key}`} />
      </td>
      <td className={table.number} data-label={t('ui.accounts.locked')}>
        <AmountText wei={balance?.locked} form="list" testId={`balance-locked-${key}`} />
        {balance?.nextUnlock != null && (
          <div className={styles.asOf}>
            {t('ui.accounts.unlockAt', {
              amount: format.lax(BigInt(balance.nextUnlock.amount)),
              height: balance.nextUnlock.height,
            })}
          </div>
        )}
      </td>
      <td className={table.number} data-label={t('ui.accounts.nonce')}>
        <Value kind="count" value={balance?.nonce} />
      </td>
      <td data-label={t('ui.backup.title')}>
        <BackupMark state={note?.backup ?? 'unknown'} />
      </td>
      <td data-label={t('ui.accounts.lastUsed')}>
        <Age time={note?.lastUsedAt ?? null} />
      </td>
    </tr>
  )
}

/** Creates a request like any caller's; where it can be decided depends on this connection's rights. */
function NewAccount({ asking }: { readonly asking: Attempt }) {
  const t = useText()
  const { backend } = useEnvironment()
  const canControl = useApp(selectCanControl)
  const canApprove = useApp(selectCanApprove)
  if (!canControl) return null
  const ask = (): void =>
    asking.run(async () => {
      const { id } = await backend.call('signer.requestNewAccount', {})
      if (canApprove) goTo(`/accounts/approvals/${id}`)
    })
  return (
    <Button variant="primary" data-testid="new-account" icon={<Plus aria-hidden="true" />} needsContact onClick={ask}>
      {t('ui.accounts.new')}
    </Button>
  )
}

function Problems() {
  const t = useText()
  const problems = useSigner((state) => state.accounts?.problems ?? [])
  if (problems.length === 0) return null
  return (
    <Card title={t('ui.accounts.problems')} testId="keystore-problems">
      <ul className={styles.problems}>
        {problems.map(({ file, reason }) => (
          <li key={file}>
            <FileWarning aria-hidden="true" />
            <div>
              <code>
                <ForeignText text={file} />
              </code>
              <p>
                <ForeignText text={reason} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
