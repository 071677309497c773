// Policies: described in words, enabled or disabled, created by a form, and tested on past requests before they apply.
import { useCallback, useMemo, useState } from 'react'
import type { ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import type { PolicyView, VersionedPolicyView } from '../../../../contract/signer-tools'
import { Failure } from '../../components/faults/Failure'
import { Card } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { shortHex } from '../../format/bytes-text'
import type { Formatter } from '../../format/formatter'
import { type Text, useFormat, useText } from '../../i18n/text'
import { useAnswer } from '../../state/answers/use-answer'
import { useAttempt } from '../../state/answers/use-attempt'
import { useTurns } from '../../state/answers/use-turns'
import { useEnvironment, useSigner } from '../../state/environment'
import { Button } from '../../widgets/controls/Button'
import { SecretForm } from '../../widgets/controls/SecretForm'
import { Age } from '../../widgets/facts/Age'
import styles from './Accounts.module.css'
import { PolicyForm } from './PolicyForm'
import { useSealing } from './Vault'

interface TrialRow {
  readonly id: string
  readonly time: number
  readonly kind: string
  readonly policy: string | null
  readonly reason: string
}

type PolicyList = ResultOf<Contract, 'signer.policies'>

export function Policies() {
  const t = useText()
  const { policies, error, trial, put, remove, dryRun } = usePolicies()
  const matches = useMatches()
  if (policies === null) return <Failure text={error} />
  return (
    <Card title={t('ui.policy.title')} testId="policies">
      {policies.length === 0 && <p className={styles.asOf}>{t('ui.policy.none')}</p>}
      <ul className={styles.rows}>
        {policies.map((each) => (
          <PolicyRow
            key={each.policy.id}
            policy={each.policy}
            matched={matches.get(each.policy.id) ?? null}
            onToggle={(master) => put({ ...each.policy, enabled: !each.policy.enabled }, each.version, master)}
            onRemove={() => void remove(each)}
          />
        ))}
      </ul>
      <Failure text={error} testId="policy-error" />
      <PolicyForm
        onTry={(policy) => dryRun([...policies.map((each) => each.policy), policy])}
        onSave={(policy, master) => put(policy, null, master)}
      />
      <Trial rows={trial} />
    </Card>
  )
}

/** The list as last read or changed, and its actions; failures are in `error`. */
function usePolicies() {
  const { backend } = useEnvironment()
  const seal = useSealing()
  const list = useAnswer(useCallback(() => backend.call('signer.policies', {}), [backend]))
  const changing = useAttempt()
  const trying = useAttempt()
  const [trial, setTrial] = useState<readonly TrialRow[] | null>(null)
  const beginChange = useTurns()
  const beginTrial = useTurns()

  // Read the list again when a change was refused, since it was based on an outdated list, and when another change
  // overtook this one, since its answer doesn't include the other.
  const change = async (work: () => Promise<PolicyList>): Promise<boolean> => {
    trying.forget()
    const isCurrent = beginChange()
    const isDone = await changing.attempt(async () => {
      const changed = await work()
      if (isCurrent()) list.replace(changed)
      else void list.retry()
    })
    if (!isDone) void list.retry()
    return isDone
  }
  /** @param master base64; null: it only switches off, or shares addresses */
  const put = (policy: PolicyView, was: string | null, master: string | null): Promise<boolean> =>
    change(async () => {
      const given = master === null ? null : await seal(master, { change: 'put', policy, was })
      return backend.call('signer.putPolicy', { policy, was, master: given })
    })
  const remove = ({ policy, version }: VersionedPolicyView): Promise<boolean> =>
    change(() => backend.call('signer.removePolicy', { id: policy.id, was: version }))
  const dryRun = (next: readonly PolicyView[]): void => {
    changing.forget()
    const isCurrent = beginTrial()
    trying.run(async () => {
      const { rows } = await backend.call('signer.dryRun', { policies: [...next] })
      if (isCurrent()) setTrial(rows)
    })
  }
  const error = [changing.failure, trying.failure, list.reason].find((text) => text !== '') ?? ''
  return { policies: list.value?.policies ?? null, error, trial, put, remove, dryRun }
}

interface Matched {
  readonly count: number
  readonly lastAt: number
}

/** How often each policy approved a request, by policy id; read again when requests come or go. */
function useMatches(): ReadonlyMap<string, Matched> {
  const { backend } = useEnvironment()
  const takenAt = useSigner((state) => state.requests?.takenAt ?? 0)
  const ask = useCallback(() => backend.call('signer.policyMatches', {}), [backend])
  // On failure no count is shown: the list itself shows the error.
  const { value, reason } = useAnswer(ask, takenAt)
  return useMemo(
    () => new Map((reason === '' ? (value?.matches ?? []) : []).map(({ id, ...matched }) => [id, matched])),
    [value, reason],
  )
}

interface PolicyRowProps {
  readonly policy: PolicyView
  /** Null = never. */
  readonly matched: Matched | null
  /** @param master base64; null where none is needed */
  readonly onToggle: (master: string | null) => Promise<boolean>
  readonly onRemove: () => void
}

function PolicyRow({ policy, matched, onToggle, onRemove }: PolicyRowProps) {
  const t = useText()
  const sentence = useSentence(policy)
  const [isAsking, setAsking] = useState(false)
  const needsMaster = policy.kind === 'transaction' && !policy.enabled
  return (
    <li data-testid="policy-row" data-state={policy.enabled ? 'on' : 'off'}>
      <div className={styles.policy}>
        <strong>
          <ForeignText text={policy.name} />
        </strong>
        <span>{sentence}</span>
        <span className={styles.asOf} data-testid={`policy-matched-${policy.id}`}>
          {t('ui.policy.matched', { count: matched?.count ?? 0 })}
          {matched !== null && (
            <>
              {' '}
              <Age time={matched.lastAt} />
            </>
          )}
        </span>
      </div>
      <Button
        size="small"
        needsContact
        data-testid={`policy-toggle-${policy.id}`}
        aria-pressed={policy.enabled}
        aria-expanded={needsMaster ? isAsking : undefined}
        onClick={() => (needsMaster ? setAsking(!isAsking) : void onToggle(null))}
      >
        {t(policy.enabled ? 'ui.policy.turnOff' : 'ui.policy.turnOn')}
      </Button>
      <Button size="small" variant="dangerQuiet" needsContact onClick={onRemove}>
        {t('ui.policy.remove')}
      </Button>
      {needsMaster && isAsking && (
        <SecretForm
          testId={`policy-on-${policy.id}`}
          fields={[{ name: 'master', label: t('ui.vault.master') }]}
          action={t('ui.policy.turnOn')}
          onSubmit={async ({ master = '' }) => {
            if (await onToggle(master)) setAsking(false)
            return ''
          }}
        />
      )}
    </li>
  )
}

/** What the policy allows, in words. */
function useSentence(policy: PolicyView): string {
  const t = useText()
  const format = useFormat()
  const until = policy.expiresAt === null ? t('ui.policy.forGood') : format.date(policy.expiresAt)
  const callers = useCallers(policy.callers)
  if (policy.kind === 'listing') return t('ui.policy.listing', { count: policy.accounts.length, callers, until })
  const [period] = policy.periods
  return t('ui.policy.sentence', {
    callers,
    most: format.laxExact(BigInt(policy.valueWei)),
    to: policy.recipients === null ? t('ui.policy.anyone') : policy.recipients.map(shortHex).join(', '),
    from: shortHex(policy.account),
    total: period?.wei == null ? '–' : format.laxExact(BigInt(period.wei)),
    hours: period?.hours ?? 0,
    tokens: tokensText(policy, t, format),
    until,
  })
}

type TransactionPolicy = Extract<PolicyView, { readonly kind: 'transaction' }>

/** The policy's rule for tokens. */
function tokensText({ tokens, methods }: TransactionPolicy, t: Text, format: Formatter): string {
  if (methods.length > 0) return t('ui.policy.oldMethods')
  if (tokens.length === 0) return t('ui.policy.laxOnly')
  const texts = tokens.map(({ contract, amount, methods }) =>
    t('ui.policy.tokens', {
      amount: format.tokenUnits(amount),
      token: shortHex(contract),
      methods: methods.join(', '),
    }),
  )
  return texts.join(format.separator)
}

/** The allowed callers, in words. */
function useCallers(callers: PolicyView['callers']): string {
  const t = useText()
  const format = useFormat()
  if (callers === null) return t('ui.policy.caller.any')
  const words = callers.map(({ scheme, origin }) => {
    if (scheme !== 'http') return t(`ui.policy.caller.${scheme}`)
    if (origin === null) return t('ui.policy.caller.anyHttp')
    return origin === '' ? t('ui.policy.caller.http') : origin
  })
  return words.join(format.separator)
}

function Trial({ rows }: { readonly rows: readonly TrialRow[] | null }) {
  const t = useText()
  const format = useFormat()
  const { clock } = useEnvironment()
  if (rows === null) return null
  const approved = rows.filter(({ policy }) => policy !== null).length
  return (
    <section aria-label={t('ui.policy.trial')} data-testid="policy-trial">
      <p role="status">{t('ui.policy.trialResult', { approved, all: rows.length })}</p>
      <ol className={styles.rows}>
        {[...rows]
          .reverse()
          .slice(0, 100)
          .map(({ id, time, kind, policy, reason }) => (
            <li key={id} data-state={policy === null ? 'asked' : 'approved'}>
              <time>{format.dayTime(time, clock.now())}</time>
              <span>{kind}</span>
              <span>
                {policy === null ? t('ui.policy.asked') : t('ui.policy.approved')}{' '}
                <ForeignText text={policy ?? reason} />
              </span>
            </li>
          ))}
      </ol>
    </section>
  )
}
