// What the user's accounts hold and allow, before and after, as our node's state says. A table of differences only.
import type { TokenNameView } from '../../../../contract/signer'
import type { HoldingView } from '../../../../contract/signer-tools'
import { AddressText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { useSigner } from '../../state/environment'
import styles from '../Approval.module.css'
import { HALF_OF_ALL } from '../callers'
import { TokenAmount } from './TokenAmounts'

interface HoldingsProps {
  readonly holdings: readonly HoldingView[]
  readonly leftOut: number
  readonly names: readonly TokenNameView[]
}

export function Holdings({ holdings, leftOut, names }: HoldingsProps) {
  const t = useText()
  return (
    <>
      {holdings.length === 0 && <p data-testid="approval-holdings-none">{t('ui.holding.none')}</p>}
      {holdings.length > 0 && (
        <table className={styles.changeTable} data-testid="approval-holdings">
          <caption>{t('ui.holding.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('ui.holding.what')}</th>
              <th scope="col">{t('ui.holding.before')}</th>
              <th scope="col">{t('ui.holding.after')}</th>
            </tr>
          </thead>
          <tbody>
            {holdings.map((holding) => (
              <tr key={keyOf(holding)} data-testid={`approval-holding-${holding.kind}`}>
                <th scope="row">
                  <What holding={holding} />
                </th>
                <td data-value={String(holding.before)}>
                  <Value holding={holding} value={holding.before} names={names} />
                </td>
                <td data-value={String(holding.after)}>
                  <Value holding={holding} value={holding.after} names={names} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {leftOut > 0 && <p>{t('ui.holding.leftOut', { count: leftOut })}</p>}
    </>
  )
}

/** Everything that names the holding. */
function keyOf({ before: _before, after: _after, ...holding }: HoldingView): string {
  return JSON.stringify(holding)
}

function What({ holding }: { readonly holding: HoldingView }) {
  const t = useText()
  switch (holding.kind) {
    case 'lax':
      return (
        <>
          {t('ui.holding.lax')} <Named address={holding.account} />
        </>
      )
    case 'token': {
      const { account, contract, number = '', standard } = holding
      return (
        <>
          {t(`ui.holding.${standard}`, { number })} <AddressText address={contract} form="short" />:{' '}
          <Named address={account} />
        </>
      )
    }
    case 'owner':
    case 'approved':
      return (
        <>
          {t(`ui.holding.${holding.kind}`, { number: holding.number })}{' '}
          <AddressText address={holding.contract} form="short" />
        </>
      )
    default:
      return (
        <>
          <Named address={holding.spender} /> {t(`ui.holding.${holding.kind}`)}{' '}
          <AddressText address={holding.contract} form="short" />: <Named address={holding.account} />
        </>
      )
  }
}

interface ValueProps {
  readonly holding: HoldingView
  readonly value: HoldingView['before']
  readonly names: readonly TokenNameView[]
}

/** What can't be read is said, and never shown as nothing. */
function Value({ holding, value, names }: ValueProps) {
  const t = useText()
  const format = useFormat()
  const { kind } = holding
  if (value === null) return t(kind === 'owner' || kind === 'approved' ? 'ui.holding.nobody' : 'ui.holding.unknown')
  if (typeof value === 'boolean') return t(value ? 'ui.holding.yes' : 'ui.holding.no')
  if (kind === 'lax') return <code>{format.laxExact(BigInt(value))}</code>
  if (kind === 'owner' || kind === 'approved') return <Named address={value} />
  if (kind === 'allowance' && BigInt(value) >= HALF_OF_ALL) return t('ui.holding.unlimited')
  const isCounted = kind === 'allowance' || (kind === 'token' && holding.standard === 'erc20')
  return (
    <>
      {isCounted && <TokenAmount names={names} contract={holding.contract} amount={value} />}{' '}
      <code>{isCounted ? format.tokenUnits(value) : value}</code>
    </>
  )
}

/** An address; an own one is marked. */
export function Named({ address }: { readonly address: string }) {
  const t = useText()
  const isOwn = useSigner((state) =>
    (state.accounts?.accounts ?? []).some((account) => account.address.toLowerCase() === address.toLowerCase()),
  )
  return (
    <>
      <AddressText address={address} form="short" />
      {isOwn && ` (${t('ui.approval.ownAccount')})`}
    </>
  )
}
