// Data to sign: a text, data for a contract, a header, or a document as a tree. Shows what the signer hashed, with the
// hash at the end.
import { useState } from 'react'
import type { DataRequestView, MessageNode } from '../../../../contract/signer'
import { Fact, Facts } from '../../components/layout/Card'
import { ForeignText, HashText } from '../../components/values/HexText'
import { type TextKey, useText } from '../../i18n/text'
import { useApp } from '../../state/environment'
import styles from '../Approval.module.css'
import { LongText } from './LongText'
import { Party } from './Party'
import { meaningOf } from './typed-meaning'

/** Elements of a list that are shown; the rest is folded. */
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
      {data.form === 'text' && <HexDetails hex={data.hashed} />}
    </>
  )
}

function Content({ data }: { readonly data: DataRequestView }) {
  if (data.text !== null)
    return <LongText text={data.text} testId="approval-text" className={styles.data} hasNumbers isToBeRead />
  if (data.form === 'typed')
    return (
      <div data-testid="approval-typed">
        <TypedMeaning data={data} />
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
    <details className={styles.branch} open>
      <summary>
        {title} {value.length === 0 && t('ui.approval.emptyList')}
      </summary>
      <Members nodes={value.slice(0, OPEN_ELEMENTS)} isDomain={type === 'domain'} />
      {value.length > OPEN_ELEMENTS && (
        <details className={styles.branch} data-testid="approval-folded">
          <summary>{t('ui.approval.folded', { count: value.length - OPEN_ELEMENTS })}</summary>
          <Members nodes={value.slice(OPEN_ELEMENTS)} isDomain={type === 'domain'} />
        </details>
      )}
    </details>
  )
}

function Members({ nodes, isDomain }: { readonly nodes: readonly MessageNode[]; readonly isDomain: boolean }) {
  return nodes.map((child, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: members of one constant document have no other identity
    <Branch key={index} node={child} isDomain={isDomain} />
  ))
}

/** Rendered on demand: a caller may send megabytes. */
function HexDetails({ hex }: { readonly hex: string }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.raw} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('ui.approval.hex')}</summary>
      {isOpen && <LongText text={hex} testId="approval-hex" />}
    </details>
  )
}

/** Shown when the document is for another chain; the signer's finding above says it too. */
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

/** A known pattern in words, above its tree. */
function TypedMeaning({ data }: { readonly data: DataRequestView }) {
  const t = useText()
  const meaning = meaningOf(data.messages)
  if (meaning === null) return null
  return (
    <p className={styles.meaning} data-testid="approval-meaning">
      {t(meaning.key, meaning.values)} <span className={styles.note}>{t('ui.meaning.note')}</span>
    </p>
  )
}
