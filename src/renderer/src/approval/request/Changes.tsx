// What our node predicts would change. An aid, never a proof; a missing prediction must not look harmless.
import { CircleCheck, CircleHelp, OctagonAlert } from 'lucide-react'
import type { TokenNameView } from '../../../../contract/signer'
import type { SimulationView } from '../../../../contract/signer-tools'
import { AddressText, ForeignText } from '../../components/values/HexText'
import { type TextKey, useFormat, useText } from '../../i18n/text'
import styles from '../Approval.module.css'
import { HALF_OF_ALL } from '../callers'
import type { SimulationState } from '../use-simulation'
import { Holdings, Named } from './Holdings'
import { TokenAmount } from './TokenAmounts'

const icons = { succeeded: CircleCheck, reverted: OctagonAlert, refused: OctagonAlert } as const

export function Changes({ state }: { readonly state: SimulationState }) {
  const t = useText()
  if (state.kind === 'none') return null
  const Icon = state.kind === 'ready' ? icons[state.simulation.outcome] : CircleHelp
  const title = t(titleOf(state))
  return (
    <section
      className={styles.changes}
      aria-labelledby="approval-changes"
      data-testid="approval-changes"
      data-state={state.kind === 'ready' ? state.simulation.outcome : state.kind}
    >
      <Icon aria-hidden="true" />
      <div>
        <h2 id="approval-changes">{title}</h2>
        {state.kind === 'ready' && <Result simulation={state.simulation} names={state.names} />}
        {state.kind === 'unavailable' && (
          <p>
            {t(state.lack === 'use' ? 'ui.simulation.unknownUse' : 'ui.approval.notSimulated')}{' '}
            <ForeignText text={state.reason.slice(0, 300)} />
          </p>
        )}
      </div>
    </section>
  )
}

function titleOf(state: Exclude<SimulationState, { readonly kind: 'none' }>): TextKey {
  if (state.kind === 'running') return 'ui.simulation.running'
  if (state.kind === 'unavailable') return 'ui.approval.changes'
  const { use = null, outcome } = state.simulation
  // A signature that can't be used now isn't a fault of the signature.
  return use !== null && outcome !== 'succeeded' ? 'ui.simulation.unusable' : `ui.simulation.${outcome}`
}

interface ResultProps {
  readonly simulation: SimulationView
  readonly names: readonly TokenNameView[]
}

function Result({ simulation, names }: ResultProps) {
  const t = useText()
  const { tokenUnits } = useFormat()
  const { reason, balances, tokens, moreTokens, grants, moreGrants, otherLogs, block, gasUsed } = simulation
  const { holdings, holdingsLeftOut = 0, use = null } = simulation
  const changed = balances.filter(({ change }) => change !== '0')
  return (
    <>
      {use !== null && <p>{t(`ui.simulation.use.${use}`)}</p>}
      {reason !== '' && (
        <p>
          <ForeignText text={reason.slice(0, 1_000)} />
        </p>
      )}
      {holdings !== undefined && <Holdings holdings={holdings} leftOut={holdingsLeftOut} names={names} />}
      <ul className={styles.deltas}>
        {changed.map(({ address, change }) => (
          <li key={address} data-testid={`approval-change-${address.toLowerCase()}`} data-value={change}>
            <Named address={address} /> <Change wei={change} />
          </li>
        ))}
        {tokens.map(({ contract, from, to, amount, isNumbered }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: moves of one constant answer have no other identity
          <li key={index} data-testid="approval-token-move">
            {!isNumbered && <TokenAmount names={names} contract={contract} amount={amount} />}{' '}
            {isNumbered
              ? t('ui.simulation.numbered', { amount })
              : t('ui.simulation.token', { amount: tokenUnits(amount) })}{' '}
            <AddressText address={contract} form="short" />: <Named address={from} /> → <Named address={to} />
          </li>
        ))}
        {grants.map((grant, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grants of one constant answer have no other identity
          <li key={index} data-testid="approval-token-grant">
            <Named address={grant.spender} />{' '}
            {t(`ui.simulation.grant.${reachOf(grant)}`, {
              amount: grant.kind === 'units' ? tokenUnits(grant.amount) : grant.amount,
            })}{' '}
            {reachOf(grant) === 'units' && (
              <TokenAmount names={names} contract={grant.contract} amount={grant.amount} />
            )}{' '}
            <AddressText address={grant.contract} form="short" />, <Named address={grant.owner} />
          </li>
        ))}
      </ul>
      {moreTokens > 0 && <p>{t('ui.simulation.more', { count: moreTokens })}</p>}
      {moreGrants > 0 && <p>{t('ui.simulation.moreGrants', { count: moreGrants })}</p>}
      {otherLogs > 0 && <p>{t('ui.simulation.otherLogs', { count: otherLogs })}</p>}
      <p className={styles.note}>{t('ui.simulation.basis', { block, gas: gasUsed })}</p>
    </>
  )
}

/** An amount greater than anyone can own counts as unlimited. */
function reachOf({ kind, amount }: SimulationView['grants'][number]) {
  if (amount === '0' && kind !== 'number') return 'none'
  if (kind !== 'units') return kind
  return BigInt(amount) >= HALF_OF_ALL ? 'any' : 'units'
}

/** Exact, with its sign. */
function Change({ wei }: { readonly wei: string }) {
  const format = useFormat()
  const isLess = wei.startsWith('-')
  return <code>{`${isLess ? '−' : '+'}${format.laxExact(BigInt(isLess ? wei.slice(1) : wei))}`}</code>
}
