// The keystore's accounts, their balances, and the requests that wait for a decision.

import { Eye, FileWarning, Plus, ShieldAlert, Wallet } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { AccountView } from '../../../../contract/signer'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { Note } from '../../components/layout/Note'
import { numberHeading, Table } from '../../components/tables/Table'
import table from '../../components/tables/Table.module.css'
import { AddressText, CopyButton, ForeignText } from '../../components/values/HexText'
import { Identicon } from '../../components/values/Identicon'
import { groupHex, isAddress, isMisspelled, spelledAddress } from '../../format/bytes-text'
import { useLanguage, useText } from '../../i18n/text'
import { goTo } from '../../navigation/router'
import { type Attempt, useAttempt } from '../../state/answers/use-answer'
import { useApp, useCanApprove, useCanControl, useEnvironment, useNode, useSigner } from '../../state/environment'
import { selectBalance } from '../../state/stores/program-store'
import { selectNote } from '../../state/stores/signer-store'
import { Button, Failure } from '../../widgets/controls/Button'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/facts/States'
import { Age, AmountText, Value } from '../../widgets/facts/Value'
import { Screen } from '../Screen'
import styles from './Accounts.module.css'
import { BackupMark } from './Backup'
import { Callers } from './Callers'
import { ImportAccount } from './Keys'
import { MAX_LABEL } from './Label'
import { addressFault } from './send/Recipient'

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
    <Table
      label={t('ui.nav.accounts')}
      className={`${table.table} ${styles.accounts}`}
      headings={[
        t('ui.accounts.account'),
        ...(['available', 'locked', 'nonce'] as const).map((name) => numberHeading(t(`ui.accounts.${name}`))),
        t('ui.backup.title'),
        t('ui.accounts.lastUsed'),
      ]}
    >
      {accounts.map((account) => (
        <AccountRow key={account.file === '' ? account.address : account.file} account={account} />
      ))}
    </Table>
  )
}

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
  const { t, format } = useLanguage()
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
  const canControl = useCanControl()
  const canApprove = useCanApprove()
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

/** Watched addresses: their keys aren't here, so nothing can be sent from them. */
function Watched() {
  const t = useText()
  const watched = useSigner(({ notes }) => notes.watched)
  const canControl = useCanControl()
  if (watched.length === 0 && !canControl) return null
  return (
    <Card title={t('ui.watch.title')} testId="watched">
      {watched.length === 0 && <EmptyState icon={Eye} title={t('ui.watch.none')} />}
      {watched.length > 0 && <p className={styles.asOf}>{t('ui.watch.text')}</p>}
      <ul className={styles.watched}>
        {watched.map(({ address, label }) => (
          <WatchedRow key={address} address={address} label={label} />
        ))}
      </ul>
      {canControl && <WatchForm />}
    </Card>
  )
}

function WatchedRow({ address, label }: { readonly address: string; readonly label: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const canControl = useCanControl()
  const balance = useNode(selectBalance(address))
  const { run, failure } = useAttempt()
  const key = address.toLowerCase()
  return (
    <li data-testid={`watched-${key}`}>
      <span className={styles.name} data-testid={`account-${key}`}>
        <Identicon address={address} />
        <span className={styles.party}>
          {label !== '' && (
            <strong>
              <ForeignText text={label} />
            </strong>
          )}
          <AccountLink address={address} />
        </span>
        <CopyButton text={address} label={t('ui.accounts.address')} />
      </span>
      <span>
        {t('ui.accounts.available')}{' '}
        <AmountText wei={balance?.available} form="list" testId={`balance-available-${key}`} />
      </span>
      <span>
        {t('ui.accounts.locked')} <AmountText wei={balance?.locked} form="list" testId={`balance-locked-${key}`} />
      </span>
      {canControl && (
        <Button
          size="small"
          needsContact
          aria-label={t('ui.watch.removeOne', { address })}
          data-testid={`unwatch-${key}`}
          onClick={() => run(() => backend.call('signer.unwatch', { address }))}
        >
          {t('ui.watch.remove')}
        </Button>
      )}
      <Failure text={failure} />
    </li>
  )
}

function WatchForm() {
  const t = useText()
  const { backend } = useEnvironment()
  const [address, setAddress] = useState('')
  const [label, setLabel] = useState('')
  const { run, failure } = useAttempt()
  const isGood = isAddress(address) && !isMisspelled(address)
  const add = (event: FormEvent): void => {
    event.preventDefault()
    if (!isGood) return
    run(async () => {
      await backend.call('signer.watch', { address, label: label.trim() })
      setAddress('')
      setLabel('')
    })
  }
  return (
    <details data-testid="watch-form">
      <summary>{t('ui.watch.add')}</summary>
      <form className={styles.form} onSubmit={add}>
        <TextField
          label={t('ui.accounts.address')}
          data-testid="watch-address"
          isMono
          value={address}
          error={addressFault(address, t)}
          onChange={(text) => setAddress(text.trim())}
        />
        <TextField
          label={t('ui.label.name')}
          data-testid="watch-label"
          maxLength={MAX_LABEL}
          value={label}
          onChange={setLabel}
        />
        <div className={styles.bar}>
          <Button
            type="submit"
            variant="primary"
            needsContact
            data-testid="watch-add"
            disabledReason={isGood ? undefined : t('ui.send.noAddress')}
          >
            {t('ui.watch.action')}
          </Button>
          <Failure text={failure} />
        </div>
      </form>
    </details>
  )
}

/** Read out as it is shown, in groups. */
function AccountLink({ address }: { readonly address: string }) {
  const t = useText()
  const key = address.toLowerCase()
  const name = t('ui.accounts.open', { address: groupHex(spelledAddress(address)) })
  return (
    <a href={`#/accounts/${key}`} data-testid={`open-${key}`} aria-label={name}>
      <AddressText address={address} form="grouped" />
    </a>
  )
}
