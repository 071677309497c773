// Data to sign: a text, data for a contract, a header, or a document as its fields. Shows what the signer hashed, with the
// hash at the end.
import { Fragment, type RefObject, useState } from 'react'
import type { DataRequestView } from '../../../../contract/signer'
import { Fact, Facts } from '../../components/layout/Card'
import { ForeignText, HashText } from '../../components/values/HexText'
import { type TextKey, useFormat, useText } from '../../i18n/text'
import styles from '../Approval.module.css'
import { LongText } from './LongText'
import { Party } from './Party'
import { TypedFields } from './TypedFields'
import { meaningOf } from './typed-meaning'

const formKeys: Readonly<Record<DataRequestView['form'], TextKey>> = {
  text: 'ui.approval.formText',
  validator: 'ui.approval.formValidator',
  clique: 'ui.approval.formClique',
  typed: 'ui.approval.formTyped',
}

interface DataDetailsProps {
  readonly data: DataRequestView
  /** The element that scrolls. */
  readonly box: RefObject<HTMLElement | null>
}

export function DataDetails({ data, box }: DataDetailsProps) {
  const t = useText()
  const hashedBytes = (data.hashed.length - 2) / 2
  return (
    <>
      <Content data={data} box={box} />
      <p className={styles.label}>{t('ui.approval.signer')}</p>
      <Party address={data.address} testId="approval-from" />
      <Facts>
        <Fact label={t('ui.approval.contentType')}>
          <span data-testid="approval-content-type">
            {t(formKeys[data.form])} <ForeignText text={data.contentType} />
          </span>
        </Fact>
        <Fact label={t('ui.approval.hash')}>
          <HashText hex={data.hash} isFull />
        </Fact>
        <Fact label={t('ui.approval.hashed')}>{t('ui.approval.bytes', { count: hashedBytes })}</Fact>
      </Facts>
      {data.form === 'text' && <HexDetails hex={data.hashed} />}
    </>
  )
}

function Content({ data, box }: DataDetailsProps) {
  const t = useText()
  if (data.text !== null)
    return <LongText text={data.text} testId="approval-text" className={styles.data} hasNumbers isToBeRead />
  if (data.form === 'text')
    return data.messages.map(({ name, value }) => (
      <Fragment key={name}>
        <p className={styles.label}>{t('ui.approval.notText')}</p>
        <LongText text={String(value)} testId="approval-bytes" className={styles.data} isToBeRead />
      </Fragment>
    ))
  if (data.form === 'typed')
    return (
      <>
        <TypedMeaning data={data} />
        <TypedFields messages={data.messages} box={box} />
      </>
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

/** A known pattern in words, above its fields. */
function TypedMeaning({ data }: { readonly data: DataRequestView }) {
  const t = useText()
  const { laxExact, tokenUnits } = useFormat()
  const meaning = meaningOf(data.messages, { lax: laxExact, tokenUnits })
  if (meaning === null) return null
  return (
    <p className={styles.meaning} data-testid="approval-meaning">
      {t(meaning.key, meaning.values)} <span className={styles.note}>{t('ui.meaning.note')}</span>
    </p>
  )
}
