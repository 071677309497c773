// The vault: creating, unlocking and locking it; which passwords it knows; which script may decide.
import { useState } from 'react'
import { SCRIPT_CAP, type ScriptCap, scriptCapSchema } from '../../../../base/approvals'
import { formatDecimal, LAX_DECIMALS } from '../../../../base/units'
import { sealedFor } from '../../approval/decision/page-approval'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { AddressText, ForeignText, HashText } from '../../components/values/HexText'
import { parseAmount } from '../../format/parse-amount'
import { useFormat, useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-answer'
import { useEnvironment, useSigner } from '../../state/environment'
import { selectHasPassword } from '../../state/stores/signer-store'
import { Button, Failure } from '../../widgets/controls/Button'
import { SecretForm } from '../../widgets/controls/SecretForm'
import styles from './Accounts.module.css'

export function Vault() {
  const t = useText()
  const { backend } = useEnvironment()
  const seal = useSealing()
  const state = useSigner(({ vault }) => vault?.state ?? 'off')
  const { run, failure } = useAttempt()
  if (state === 'off') return null
  return (
    <Card title={t('ui.vault.title')} testId="vault">
      <p data-testid="vault-state" data-state={state}>
        {t(`ui.vault.state.${state}`)}
      </p>
      {state === 'missing' && (
        <SecretForm
          testId="vault-init"
          fields={[{ name: 'master', label: t('ui.vault.master'), isNew: true }]}
          action={t('ui.vault.init')}
          onSubmit={async ({ master = '' }) => {
            const password = await seal(master, { change: 'init' }, { change: 'unlock' })
            await backend.call('signer.vaultInit', { password })
            return ''
          }}
        />
      )}
      {state === 'closed' && (
        <SecretForm
          testId="vault-unlock"
          fields={[{ name: 'master', label: t('ui.vault.master') }]}
          action={t('ui.vault.unlock')}
          onSubmit={async ({ master = '' }) => {
            await backend.call('signer.vaultUnlock', { password: await seal(master, { change: 'unlock' }) })
            return ''
          }}
        />
      )}
      {state === 'open' && (
        <div className={styles.bar}>
          <Button needsContact data-testid="vault-lock" onClick={() => run(() => backend.call('signer.vaultLock', {}))}>
            {t('ui.vault.lock')}
          </Button>
          <Failure text={failure} />
        </div>
      )}
    </Card>
  )
}

export function StoredPasswords() {
  const t = useText()
  const addresses = useSigner((state) => [...new Set((state.accounts?.accounts ?? []).map(({ address }) => address))])
  return (
    <Card title={t('ui.vault.stored')} testId="stored-passwords">
      <p className={styles.asOf}>{t('ui.vault.storedText')}</p>
      <ul className={styles.rows}>
        {addresses.map((address) => (
          <StoredPassword key={address} address={address} />
        ))}
      </ul>
    </Card>
  )
}

function StoredPassword({ address }: { readonly address: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const isStored = useSigner(selectHasPassword(address))
  const { run, failure } = useAttempt()
  const key = address.toLowerCase()
  const seal = useSealing()
  const forget = (): void =>
    run(() => backend.call('signer.vaultSetPassword', { address, password: null, master: null }))
  return (
    <li data-testid={`stored-${key}`} data-state={isStored ? 'stored' : 'none'}>
      <AddressText address={address} form="grouped" />
      {isStored ? (
        <>
          <span className={styles.open}>{t('ui.vault.isStored')}</span>
          <Button size="small" needsContact data-testid={`forget-${key}`} onClick={forget}>
            {t('ui.vault.forget')}
          </Button>
        </>
      ) : (
        <details>
          <summary>{t('ui.vault.store')}</summary>
          <SecretForm
            testId={`store-${key}`}
            fields={[
              { name: 'password', label: t('ui.password.account') },
              { name: 'master', label: t('ui.vault.master') },
            ]}
            action={t('ui.vault.storeAction')}
            onSubmit={async ({ password = '', master = '' }) => {
              const change = { change: 'store', address: key }
              await backend.call('signer.vaultSetPassword', {
                address,
                password: await seal(password, change),
                master: await seal(master, change),
              })
              return ''
            }}
          />
        </details>
      )}
      <Failure text={failure} />
    </li>
  )
}

/** The script named at startup: read-only, and allowed by its hash. */
export function ScriptRules() {
  const t = useText()
  const rules = useSigner(({ vault }) => vault?.rules ?? null)
  const isOpen = useSigner(({ vault }) => vault?.state === 'open')
  const format = useFormat()
  const cap = rules?.cap ?? SCRIPT_CAP
  return (
    <Card title={t('ui.vault.script')} testId="rules-script">
      {rules === null ? (
        <p className={styles.asOf}>{t('ui.vault.noScript')}</p>
      ) : (
        <>
          <p>
            <code>
              <ForeignText text={rules.file} />
            </code>
          </p>
          <p>
            SHA-256 <HashText hex={rules.sha256} isFull />
          </p>
          {isOpen ? (
            <p data-state={rules.cap === null ? 'refused' : 'attested'}>
              {t(
                rules.cap !== null
                  ? 'ui.vault.attested'
                  : rules.isOther
                    ? 'ui.vault.otherAttested'
                    : 'ui.vault.notAttested',
              )}
            </p>
          ) : (
            <p data-state="unknown">{t('ui.vault.scriptLocked')}</p>
          )}
          <p className={styles.asOf}>
            {t('ui.vault.scriptCap', { signatures: String(cap.signatures), lax: format.laxExact(BigInt(cap.wei)) })}
          </p>
          {isOpen && rules.cap === null && (
            <AllowScript sha256={rules.sha256} cap={cap} action={t('ui.vault.attest')} />
          )}
          {isOpen && rules.cap !== null && (
            <details data-testid="script-limits">
              <summary>{t('ui.vault.changeCap')}</summary>
              <AllowScript sha256={rules.sha256} cap={cap} action={t('ui.vault.setCap')} />
            </details>
          )}
          <ScriptText sha256={rules.sha256} />
        </>
      )}
    </Card>
  )
}

/** Allows the script with this hash, within limits that the person sets: what it was allowed before, to begin with. */
function AllowScript({ sha256, cap, action }: { sha256: string; cap: ScriptCap; action: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const seal = useSealing()
  const [signatures, setSignatures] = useState(String(cap.signatures))
  const [lax, setLax] = useState(formatDecimal(BigInt(cap.wei)))
  const wanted = {
    signatures: Number(parseAmount(signatures, 0) ?? 0n),
    wei: parseAmount(lax, LAX_DECIMALS)?.toString(),
  }
  const script = scriptCapSchema.safeParse(wanted).data
  return (
    <SecretForm
      testId="attest"
      fields={[{ name: 'master', label: t('ui.vault.master') }]}
      action={action}
      disabledReason={script === undefined ? t('ui.vault.needCap') : undefined}
      onSubmit={async ({ master = '' }) => {
        if (script === undefined) return ''
        const change = { sha256, ...script }
        await backend.call('signer.attestRules', {
          ...change,
          master: await seal(master, { change: 'attest', ...change }),
        })
        return ''
      }}
    >
      <TextField
        label={t('ui.vault.capSignatures')}
        data-testid="attest-signatures"
        inputMode="numeric"
        value={signatures}
        onChange={setSignatures}
      />
      <TextField
        label={t('ui.vault.capLax')}
        data-testid="attest-lax"
        inputMode="decimal"
        value={lax}
        onChange={setLax}
      />
    </SecretForm>
  )
}

/** Read-only. If the file changed in the meantime, its hash differs, which is reported. */
function ScriptText({ sha256 }: { readonly sha256: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const { run, failure } = useAttempt()
  const [shown, setShown] = useState<{ readonly sha256: string; readonly text: string } | null>(null)
  const read = (): void => run(async () => setShown((await backend.call('signer.rulesText', {})).rules))
  if (shown === null)
    return (
      <div className={styles.bar}>
        <Button size="small" needsContact data-testid="script-show" onClick={read}>
          {t('ui.vault.showScript')}
        </Button>
        <Failure text={failure} />
      </div>
    )
  return (
    <>
      <Failure text={shown.sha256 === sha256 ? '' : t('ui.vault.scriptChanged')} />
      <ScrollRegion className={styles.script} label={t('ui.vault.script')}>
        <pre data-testid="script-text">
          <ForeignText text={shown.text} keepLines />
        </pre>
      </ScrollRegion>
      <div className={styles.bar}>
        <Button size="small" onClick={() => setShown(null)}>
          {t('ui.vault.hideScript')}
        </Button>
      </div>
    </>
  )
}

/** Seals a password (base64) for the key process and exactly these changes. */
export function useSealing() {
  const t = useText()
  const { backend, approvalKeys = null } = useEnvironment()
  return (password: string, ...changes: readonly object[]) =>
    sealedFor(backend, { keys: approvalKeys, otherKeyProcess: t('ui.approval.otherKeyProcess') }, password, changes)
}
