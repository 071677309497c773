// What was changed on a page and not saved yet; how it is saved, and what was refused.
import { useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { useApp, useEnvironment } from '../../state/environment'

/** By key: as it would be typed, or null for the default. */
export type DraftValues = Readonly<Record<string, string | null>>

export interface Draft {
  readonly values: DraftValues
  /** Why a change was refused, by key. */
  readonly errors: Readonly<Record<string, string>>
  readonly isSaving: boolean
  /** Written at the last save; 0 once something is changed again. */
  readonly saved: number
  readonly count: number
  /** Undefined takes the change back. */
  readonly change: (key: string, value: string | null | undefined) => void
  /** True when nothing was refused. */
  readonly save: () => Promise<boolean>
  readonly discard: () => void
}

export function useDraft(onSaved: () => Promise<void>): Draft {
  const { backend } = useEnvironment()
  const [values, setValues] = useState<DraftValues>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isSaving, setSaving] = useState(false)
  const startedAt = useApp((state) => state.info?.startedAt ?? 0)
  const [saved, setSaved] = useState({ count: 0, startedAt: 0 })
  const changes = Object.entries(values)

  const change: Draft['change'] = (key, value) => {
    setSaved({ count: 0, startedAt })
    setErrors(({ [key]: _gone, ...others }) => others)
    setValues(({ [key]: _old, ...others }) => (value === undefined ? others : { ...others, [key]: value }))
  }
  const saveOne = async (key: string, value: string | null): Promise<string> => {
    try {
      await backend.call('app.setOption', { key, value })
      return ''
    } catch (error: unknown) {
      return messageOf(error)
    }
  }
  /** Some changes are right only together with others, so what was refused is tried again as long as anything was taken. */
  const save = async (): Promise<boolean> => {
    setSaving(true)
    let open = changes.map(([key, value]) => ({ key, value, error: '' }))
    for (let before = Number.POSITIVE_INFINITY; open.length > 0 && open.length < before; ) {
      before = open.length
      const tried: typeof open = []
      for (const { key, value } of open) tried.push({ key, value, error: await saveOne(key, value) })
      open = tried.filter(({ error }) => error !== '')
    }
    await onSaved()
    setValues(Object.fromEntries(open.map(({ key, value }) => [key, value])))
    setErrors(Object.fromEntries(open.map(({ key, error }) => [key, error])))
    setSaved({ count: changes.length - open.length, startedAt })
    setSaving(false)
    return open.length === 0
  }
  const discard = (): void => {
    setValues({})
    setErrors({})
  }
  // what was saved before the last start is in effect by now
  const savedNow = saved.startedAt === startedAt ? saved.count : 0
  return { values, errors, isSaving, saved: savedNow, count: changes.length, change, save, discard }
}
