// The command palette: type a few letters of a name to go there.
import { Command } from 'cmdk'
import { useMemo, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import { DialogModal } from '../../components/layout/Modal'
import { useText } from '../../i18n/text'
import { goTo } from '../../navigation/router'
import { useEnvironment } from '../../state/environment'
import { useNavItems } from '../shell/use-nav-items'
import styles from './Palette.module.css'
import { chainItem, type PaletteItem, paletteItems } from './palette-items'

export interface PaletteProps {
  readonly onClose: () => void
}

const groups = ['chain', 'screens', 'devices', 'pools', 'rigs', 'accounts', 'places'] as const

/** The items that match the typed text, and how to go to one. */
function useChoice(text: string, onClose: () => void) {
  const t = useText()
  const { backend, stores } = useEnvironment()
  const items = useNavItems()
  const [error, setError] = useState('')
  const known = useMemo(
    () =>
      paletteItems(
        { items, miner: stores.miner.getState(), fleet: stores.fleet.getState(), signer: stores.signer.getState() },
        t,
      ),
    [items, stores, t],
  )
  const typed = chainItem(text, t)
  const leave = (path: string): void => {
    onClose()
    goTo(path)
  }
  const choose = async ({ target }: PaletteItem): Promise<void> => {
    if ('path' in target) return leave(target.path)
    try {
      const { block } = await backend.call('node.block', { id: target.hash })
      leave(block === null ? `/node/tx/${target.hash}` : `/node/block/${target.hash}`)
    } catch (failure: unknown) {
      setError(t('ui.node.searchFailed', { reason: messageOf(failure) }))
    }
  }
  return { items: typed === null ? known : [typed, ...known], error, choose, forget: () => setError('') }
}

/** Every typed word must occur; a name that begins with the first word ranks higher. */
export function fits(value: string, typed: string): number {
  const [first = '', ...others] = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const text = value.toLowerCase()
  if (![first, ...others].every((word) => text.includes(word))) return 0
  return text.startsWith(first) ? 1 : 0.5
}

/** Open while it is rendered. */
export function Palette({ onClose }: PaletteProps) {
  const t = useText()
  const [text, setText] = useState('')
  const { items, error, choose, forget } = useChoice(text, onClose)
  return (
    <DialogModal
      title={t('ui.palette.title')}
      testId="palette"
      look="plain"
      className={styles.dialog}
      onClose={onClose}
    >
      <Command label={t('ui.palette.title')} filter={fits}>
        <Command.Input
          className={styles.input}
          placeholder={t('ui.palette.hint')}
          value={text}
          maxLength={200}
          onValueChange={(value) => {
            setText(value)
            forget()
          }}
          data-testid="palette-input"
        />
        <Command.List className={styles.list}>
          <Command.Empty className={styles.empty}>{t('ui.palette.none')}</Command.Empty>
          {groups.map((group) => (
            <Group
              key={group}
              group={group}
              items={items.filter((each) => each.group === group)}
              onChoose={(chosen) => void choose(chosen)}
            />
          ))}
        </Command.List>
      </Command>
      {error !== '' && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </DialogModal>
  )
}

interface GroupProps {
  readonly group: PaletteItem['group']
  readonly items: readonly PaletteItem[]
  readonly onChoose: (item: PaletteItem) => void
}

function Group({ group, items, onChoose }: GroupProps) {
  const t = useText()
  if (items.length === 0) return null
  return (
    <Command.Group heading={t(`ui.palette.group.${group}`)} className={styles.group}>
      {items.map((each) => (
        <Command.Item
          key={each.id}
          value={`${each.title} ${each.id}`}
          // An item for a typed place always matches the typed text.
          forceMount={group === 'chain'}
          className={styles.item}
          data-testid={`palette-${each.id}`}
          onSelect={() => onChoose(each)}
        >
          {each.title}
        </Command.Item>
      ))}
    </Command.Group>
  )
}
