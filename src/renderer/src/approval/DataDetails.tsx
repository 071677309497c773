// Data that is signed: a text, something for a contract, a header, or a document as a tree. What is shown is what the
// signer hashed; the hash itself stands at the end.
import type { DataRequestView, MessageNode } from '../../../contract/signer'
import { Fact, Facts } from '../components/Card'
import { ForeignText, HashText } from '../components/HexText'
import { type TextKey, useText } from '../i18n/text'
import { useApp } from '../state/environment'
import styles from './Approval.module.css'
import { LongText } from './LongText'
import { Party } from './Party'

/** Elements of a list that are shown open; longer lists are folded. */
const OPEN_ELEMENTS = 20

const formKeys: Readonly<Record<DataRequestView['form'], TextKey>> = {
  text: 'ui.approval.formText',
  validator: 'ui.approval.formValidator',
  clique: 'ui.approval.formClique',
  typed: 'ui.approval.formTyped',
}

export function DataDetails({ data }: { readonly data: DataRequestView }) {
  const t = useText()
  const hashedBytes = (data.hashed.length - 2) / 2
  return (
    <>
      <Facts>
        <Fact label={t('ui.approval.signer')}>
          <Party address={data.address} testId="approval-from" />
        </Fact>
        <Fact label={t('ui.approval.contentType')}>
          <span data-testid="approval-content-type">
            {t(formKeys[data.form])} <ForeignText text={data.contentType} />
          </span>
        </Fact>
      </Facts>
      <Content data={data} />
      <Facts>
        <Fact label={t('ui.approval.hash')}>
          <HashText hex={data.hash} isFull />
        </Fact>
        <Fact label={t('ui.approval.hashed')}>{t('ui.approval.bytes', { count: hashedBytes })}</Fact>
      </Facts>
      {data.form === 'text' && (
        <details className={styles.raw}>
          <summary>{t('ui.approval.hex')}</summary>
          <pre>{data.hashed.slice(0, 4_096)}</pre>
        </details>
      )}
    </>
  )
}

function Content({ data }: { readonly data: DataRequestView }) {
  if (data.text !== null) return <LongText text={data.text} testId="approval-text" className={styles.data} />
  if (data.form === 'typed')
    return (
      <div data-testid="approval-typed">
        {data.messages.map((node) => (
          <Branch key={node.type} node={node} />
        ))}
      </div>
    )
  return (
    <dl>
      {data.messages.map(({ name, value }) => (
        <Fact key={name} label={name}>
          <ForeignText text={typeof value === 'string' ? value : ''} />
        </Fact>
      ))}
    </dl>
  )
}

/** A line with its type, or a branch that can be folded. */
function Branch({ node, isDomain = false }: { readonly node: MessageNode; readonly isDomain?: boolean }) {
  const t = useText()
  const { name, value, type } = node
  const title = (
    <>
      <ForeignText text={name} />{' '}
      <span className={styles.note}>
        <ForeignText text={type} />
      </span>
    </>
  )
  if (typeof value === 'string')
    return (
      <div className={styles.leaf}>
        {title} <ForeignText text={value} keepLines />
        {isDomain && name === 'chainId' && <DomainChain value={value} />}
      </div>
    )
  return (
    <details className={styles.branch} open={value.length <= OPEN_ELEMENTS}>
      <summary>
        {title} {value.length === 0 && t('ui.approval.emptyList')}
      </summary>
      {value.map((child, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: members of one constant document have no other identity
        <Branch key={index} node={child} isDomain={type === 'domain'} />
      ))}
    </details>
  )
}

/** Said where the document is for another chain; the signer's finding above says it too. */
function DomainChain({ value }: { readonly value: string }) {
  const t = useText()
  const own = useApp((state) => state.info?.chainId ?? null)
  const asked = /^\d+/.exec(value)?.[0] ?? value
  if (own === null || asked === String(own)) return null
  return (
    <strong className={styles.mismatch} data-testid="approval-domain-mismatch">
      {' '}
      {t('ui.approval.domainChain', { own })}
    </strong>
  )
}
