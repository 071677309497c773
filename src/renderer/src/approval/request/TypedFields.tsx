// A document as one list of its fields, in the order of the document: nothing of it is folded.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { MessageNode } from '../../../../contract/signer'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useApp } from '../../state/environment'
import styles from '../Approval.module.css'

/** Longer documents render only the rows near the view: a caller can send a hundred thousand fields. */
const PLAIN_ROWS = 200
/** Of a row with one line; others are measured. */
const ROW_PX = 33
/** Rows rendered above and below the view. */
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
  /** The element that scrolls. */
  readonly box: RefObject<HTMLElement | null>
}

export function TypedFields({ messages, box }: TypedFieldsProps) {
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
