// Data to sign as the signer hashed it, with the hash: a text, data for a contract, a header, a document's fields.

import { useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { DataRequestView, MessageNode } from '../../../../contract/signer'
import { Fact, Facts } from '../../components/layout/Card'
import { ForeignText, HashText } from '../../components/values/HexText'
import { type TextKey, useFormat, useText } from '../../i18n/text'
import { useApp } from '../../state/environment'
import styles from '../Approval.module.css'
import { LongText } from './LongText'
import { Party } from './Party'
import { meaningOf } from './typed-meaning'

const formKeys: Readonly<Record<DataRequestView['form'], TextKey>> = {
  text: 'ui.approval.formText',
  validator: 'ui.approval.formValidator',
  clique: 'ui.approval.formClique',
  typed: 'ui.approval.formTyped',
}

interface DataDetailsProps {
  readonly data: DataRequestView
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
  const { laxExact, everyDigit } = useFormat()
  const meaning = meaningOf(data.messages, { lax: laxExact, everyDigit })
  if (meaning === null) return null
  return (
    <p className={styles.meaning} data-testid="approval-meaning">
      {t(meaning.key, meaning.values)} <span className={styles.note}>{t('ui.meaning.note')}</span>
    </p>
  )
}

/** Longer documents render only the rows near the view: a caller can send a hundred thousand fields. */
const PLAIN_ROWS = 200
/** Of a row with one line; others are measured. */
const ROW_PX = 33
const OVERSCAN = 8
/** Levels that are indented; deeper ones stay there, so that values keep their width. */
const MAX_INDENT = 8

interface TypedRow {
  readonly depth: number
  readonly name: string
  readonly type: string
  /** Null for the title of a struct or list, whose fields follow. */
  readonly value: string | null
  /** Place among the fields, from 0; null for a title. */
  readonly field: number | null
  readonly isChainId: boolean
}

/** Each branch as a title, followed by its members. An empty list or struct is a field. */
function rowsOf(messages: readonly MessageNode[]): {
  readonly rows: readonly TypedRow[]
  readonly fields: number
} {
  const rows: TypedRow[] = []
  let fields = 0
  const add = ({ name, type, value }: MessageNode, depth: number, isDomain: boolean): void => {
    const isBranch = typeof value !== 'string'
    const isTitle = isBranch && value.length > 0
    rows.push({
      depth,
      name,
      type,
      value: isBranch ? null : value,
      field: isTitle ? null : fields,
      isChainId: isDomain && name === 'chainId',
    })
    if (!isTitle) fields += 1
    if (isBranch) for (const child of value) add(child, depth + 1, type === 'domain')
  }
  for (const node of messages) add(node, 0, false)
  return { rows, fields }
}

interface TypedFieldsProps {
  readonly messages: readonly MessageNode[]
  readonly box: RefObject<HTMLElement | null>
}

/** A document as one list of its fields, in the order of the document: nothing of it is folded. */
function TypedFields({ messages, box }: TypedFieldsProps) {
  const t = useText()
  const { rows, fields } = useMemo(() => rowsOf(messages), [messages])
  return (
    <section className={styles.fields} data-testid="approval-typed" data-fields={fields}>
      <h2>{t('ui.approval.fields', { count: fields })}</h2>
      {rows.length <= PLAIN_ROWS ? (
        <ul>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of one constant document have no other identity
            <Row key={index} row={row} />
          ))}
        </ul>
      ) : (
        <LongList rows={rows} box={box} />
      )}
    </section>
  )
}

function LongList({ rows, box }: { readonly rows: readonly TypedRow[]; readonly box: TypedFieldsProps['box'] }) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  // What stands above the list may grow, for example by a finding.
  useLayoutEffect(() => {
    if (list.current === null || box.current === null) return
    const above = list.current.getBoundingClientRect().top - box.current.getBoundingClientRect().top
    setTop(Math.round(above + box.current.scrollTop))
  })
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
  })
  return (
    <ul ref={list} className={styles.longFields} style={{ blockSize: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => {
        const row = rows[index]
        return row === undefined ? null : (
          <Row
            key={index}
            row={row}
            place={{ index, count: rows.length, topPx: start - top, measure: virtual.measureElement }}
          />
        )
      })}
    </ul>
  )
}

interface Place {
  readonly index: number
  readonly count: number
  readonly topPx: number
  readonly measure: (row: Element | null) => void
}

function Row({ row, place }: { readonly row: TypedRow; readonly place?: Place }) {
  const t = useText()
  const { depth, name, type, value, field, isChainId } = row
  const indent = `${Math.min(depth, MAX_INDENT) * 12}px`
  const position =
    place === undefined
      ? {}
      : {
          ref: place.measure,
          'data-index': place.index,
          'aria-posinset': place.index + 1,
          'aria-setsize': place.count,
        }
  return (
    <li
      {...position}
      {...(field === null ? {} : { 'data-field': field })}
      className={field === null ? styles.fieldTitle : styles.field}
      style={{
        paddingInlineStart: indent,
        ...(place === undefined ? {} : { transform: `translateY(${place.topPx}px)` }),
      }}
    >
      <span className={styles.fieldName}>
        <ForeignText text={name} />{' '}
        <span className={styles.note}>
          <ForeignText text={type} />
        </span>
      </span>
      {field !== null && (
        <span className={styles.fieldValue}>
          {value === null ? t('ui.approval.emptyList') : <ForeignText text={value} keepLines />}
          {isChainId && value !== null && <DomainChain value={value} />}
        </span>
      )}
    </li>
  )
}

/** Shown when the document is for another chain; the signer's finding says it too. */
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
