// The command palette: type a few letters of a name to go there.
import { Command } from 'cmdk'
import { useCallback, useMemo, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { DeviceView } from '../../../../contract/miner'
import type { PoolView } from '../../../../contract/pools'
import type { RigView } from '../../../../contract/rigs'
import { DialogModal } from '../../components/layout/Modal'
import { type Text, useLanguage, useText } from '../../i18n/text'
import { goTo } from '../../navigation/router'
import { activityTabs, type NavItem, type NavName, nodeTabs } from '../../navigation/routes'
import { readSearch } from '../../screens/Node/blocks/search'
import { commandRigs, type Done, refusalText, takeBack, takesCommands } from '../../screens/Rigs/detail/rig-commands'
import { orLate, useAttempt } from '../../state/answers/use-answer'
import { useCanControl, useEnvironment, useMiner, useOperation } from '../../state/environment'
import { type MinerState, type OperationState, selectPools } from '../../state/stores/program-store'
import type { SignerState } from '../../state/stores/signer-store'
import { useTheme } from '../../state/theme'
import { Failure } from '../../widgets/controls/Button'
import { deviceLabel } from '../../widgets/devices/device-names'
import { useNavItems } from '../shell/use-nav-items'
import styles from './Palette.module.css'

const groups = ['chain', 'actions', 'screens', 'devices', 'pools', 'rigs', 'accounts', 'places'] as const

function useChoice(text: string, onClose: () => void) {
  const t = useText()
  const { backend, stores } = useEnvironment()
  const items = useNavItems()
  const { failure, run, forget } = useAttempt()
  const known = useMemo(
    () =>
      paletteItems(
        {
          items,
          miner: stores.miner.getState(),
          operation: stores.operation.getState(),
          signer: stores.signer.getState(),
        },
        t,
      ),
    [items, stores, t],
  )
  const actions = [...useActions(), ...useRigActions()]
  const typed = chainItem(text, t)
  const leave = (path: string): void => {
    onClose()
    goTo(path)
  }
  const choose = ({ target }: PaletteItem): void => {
    if ('path' in target) leave(target.path)
    else if ('run' in target) {
      onClose()
      target.run()
    } else
      run(async () => {
        const { block } = await backend.call('node.block', { id: target.hash })
        leave(block === null ? `/node/tx/${target.hash}` : `/node/block/${target.hash}`)
      }, 'ui.node.searchFailed')
  }
  return {
    items: [...(typed === null ? [] : [typed]), ...actions, ...known],
    failure,
    choose,
    forget,
  }
}

/** Waits for an answer; a toast says that it failed, or that none came: the palette is closed by then. */
function useTold(): <T>(answer: Promise<T>, done: (value: T) => void) => void {
  const t = useText()
  const { clock, stores } = useEnvironment()
  const { toasts } = stores
  return useCallback(
    (answer, done) => {
      const warn = (title: string): void => void toasts.show({ title, tone: 'warn' })
      const told = orLate(clock, answer, () => warn(t('ui.common.unanswered')))
      void told.then(done, (error: unknown) => warn(messageOf(error)))
    },
    [t, clock, toasts],
  )
}

/** What can be done from anywhere; nothing for those who can only look. */
function useActions(): readonly PaletteItem[] {
  const t = useText()
  const { backend, stores } = useEnvironment()
  const canControl = useCanControl()
  const devices = useMiner((state) => state.devices?.devices ?? NO_DEVICES)
  const pools = useOperation(selectPools)
  const theme = useTheme()
  const { controls, freeze, layers, pauseAll, preferences, toasts } = stores
  const told = useTold()
  return useMemo(() => {
    const isPaused = devices.length > 0 && devices.every(({ paused }) => paused)
    const activate = ({ index, host, url }: PoolView): void =>
      told(backend.call('miner.poolActivate', { index, shown: url }), () =>
        toasts.show({ title: t('ui.palette.switched', { host }) }),
      )
    const control = !canControl
      ? []
      : [
          ...(devices.length === 0
            ? []
            : [
                action(
                  'pause-all',
                  t(isPaused ? 'ui.pause.resumeAll' : 'ui.pause.pauseAll'),
                  () => pauseAll.press(!isPaused),
                  t('ui.flow.devices', { count: devices.length }),
                ),
              ]),
          ...devices.map((device) =>
            action(
              `pause-${device.index}`,
              t(device.paused ? 'ui.pause.resumeTarget' : 'ui.pause.pauseTarget', { name: deviceLabel(device, t) }),
              () => void controls.press(device.index, !device.paused),
              device.name,
            ),
          ),
          ...pools
            .filter(({ active, state }) => !active && state !== 'planned')
            .map((pool) =>
              action(`pool-${pool.index}`, t('ui.palette.switchPool', { host: pool.host }), () => activate(pool)),
            ),
        ]
    return [
      ...control,
      action('incidents', t('ui.palette.incidents'), () => layers.open({ kind: 'incidents', id: '' }), 'I'),
      action('theme', t('ui.shell.theme'), () => preferences.setState({ theme: theme === 'dark' ? 'light' : 'dark' })),
      action('freeze', t('ui.keys.freeze'), freeze.toggle, '.'),
      action('keys', t('ui.keys.title'), () => layers.open({ kind: 'keys' }), '?'),
    ]
  }, [t, told, backend, canControl, devices, pools, theme, controls, freeze, layers, pauseAll, preferences, toasts])
}

function action(id: string, title: string, run: () => void, hint?: string): PaletteItem {
  return { id: `actions-${id}`, group: 'actions', title, target: { run }, ...(hint === undefined ? {} : { hint }) }
}

/** Pause or resume of a rack, with the way back for ten seconds; a rig that refuses is named with its reason. */
function useRigActions(): readonly PaletteItem[] {
  const { t, format } = useLanguage()
  const { backend, stores } = useEnvironment()
  const canControl = useCanControl()
  const rigs = useOperation((state) => state.rigs?.rigs ?? NO_RIGS)
  const { toasts } = stores
  const told = useTold()
  return useMemo(() => {
    if (!canControl) return []
    const show = (wanted: 'pause' | 'resume', name: string, { results, undo }: Done): void => {
      const failed = results.filter(({ error }) => error !== '')
      const back = {
        label: t('ui.pause.undo'),
        testId: 'rigs-undo',
        run: () => told(takeBack(backend, undo), () => undefined),
      }
      toasts.show({
        title: t(`ui.palette.did.${wanted}`, { name, count: results.length - failed.length }),
        text: failed.map((result) => `${result.rig}: ${refusalText(result, t)}`).join(' · '),
        tone: failed.length > 0 ? 'warn' : 'plain',
        seconds: UNDO_SECONDS,
        testId: 'rigs-commanded',
        action: undo.length === 0 ? null : back,
      })
    }
    return groupsOf(rigs).map(([name, members]) => {
      const { gpus, rate, isStopped } = sumOf(members)
      const wanted = isStopped ? 'resume' : 'pause'
      const run = (): void => told(commandRigs(backend, wanted, members), (done) => show(wanted, name, done))
      const hint = t('ui.rigs.gpusAndRate', { gpus, rate: format.text('hashrate', rate) })
      return action(`rigs-${name}`, t(`ui.pause.${wanted}Target`, { name }), run, hint)
    })
  }, [t, told, format, backend, canControl, rigs, toasts])
}

function sumOf(members: readonly RigView[]): {
  readonly gpus: number
  readonly rate: number
  readonly isStopped: boolean
} {
  const all = members.flatMap(({ figures }) => figures?.gpus ?? [])
  const rate = members.reduce((sum, { figures, online }) => sum + (online ? (figures?.hashrate.s60 ?? 0) : 0), 0)
  return { gpus: all.length, rate, isStopped: all.length > 0 && all.every(({ paused }) => paused) }
}

const NO_DEVICES: readonly DeviceView[] = []
const NO_RIGS: readonly RigView[] = []
/** As long as after "Pause all". */
const UNDO_SECONDS = 10

/** Rigs that take commands, by their labels; one without a label stands for itself. */
function groupsOf(rigs: readonly RigView[]): readonly (readonly [name: string, members: readonly RigView[]])[] {
  const groups = new Map<string, RigView[]>()
  for (const rig of rigs.filter(takesCommands)) {
    const name = rig.group === '' ? rig.name : rig.group
    groups.set(name, [...(groups.get(name) ?? []), rig])
  }
  return [...groups]
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

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const t = useText()
  const [text, setText] = useState('')
  const { items, failure, choose, forget } = useChoice(text, onClose)
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
            <Group key={group} group={group} items={items.filter((each) => each.group === group)} onChoose={choose} />
          ))}
        </Command.List>
      </Command>
      {failure !== '' && (
        <div className={styles.error}>
          <Failure text={failure} />
        </div>
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
          <span>{each.title}</span>
          {each.hint !== undefined && <span className={styles.hint}>{each.hint}</span>}
        </Command.Item>
      ))}
    </Command.Group>
  )
}

interface PaletteItem {
  readonly id: string
  readonly group: 'actions' | 'chain' | 'places' | 'screens' | 'devices' | 'pools' | 'rigs' | 'accounts'
  readonly title: string
  /** Where it leads; a hash has to be looked up first. */
  readonly target: { readonly path: string } | { readonly hash: string } | { readonly run: () => void }
  /** What it does or stops, in a few words. */
  readonly hint?: string
}

interface PaletteSource {
  readonly items: readonly NavItem[]
  readonly miner: MinerState
  readonly operation: OperationState
  readonly signer: SignerState
}

/** Everything that has a name; cheap enough to build each time the palette opens. */
function paletteItems({ items, miner, operation, signer }: PaletteSource, t: Text): readonly PaletteItem[] {
  const hasNode = items.some(({ name }) => name === 'node')
  return [
    ...items.map(({ name, path }) => item('screens', name, t(`ui.nav.${name}`), path)),
    ...(miner.devices?.devices ?? []).map(({ index, name }) =>
      item('devices', String(index), t('ui.gpus.targetName', { index, name }), `/gpus/${index}`),
    ),
    ...(operation.pools?.pools ?? []).map(({ index, host }) => item('pools', String(index), host, '/pools')),
    ...(operation.rigs?.rigs ?? [])
      .filter(({ local }) => !local)
      .map(({ name }) => item('rigs', name, name, `/rigs/${encodeURIComponent(name)}`)),
    ...(signer.accounts?.accounts ?? []).map(({ address }) =>
      item('accounts', address, address, `/accounts/${address}`),
    ),
    ...(hasNode ? nodeTabs : []).map((tab) =>
      item(
        'places',
        `node-${tab}`,
        partTitle('node', t(`ui.node.tab.${tab}`), t),
        tab === 'sync' ? '/node' : `/node/${tab}`,
      ),
    ),
    ...activityTabs
      .filter((tab) => tab !== 'events')
      .map((tab) =>
        item('places', `activity-${tab}`, partTitle('activity', t(`ui.activity.tab.${tab}`), t), `/activity/${tab}`),
      ),
  ]
}

/** The place on the chain that `text` names, or null. */
function chainItem(text: string, t: Text): PaletteItem | null {
  const found = readSearch(text)
  if (found === null) return null
  const target = found.kind === 'page' ? { path: found.path } : { hash: found.hash }
  return { id: 'chain', group: 'chain', title: t('ui.palette.chain', { text: text.trim() }), target }
}

function item(group: PaletteItem['group'], id: string, title: string, path: string): PaletteItem {
  return { id: `${group}-${id}`, group, title, target: { path } }
}

/** Screen and part, so that a search for either finds it. */
function partTitle(screen: NavName, part: string, t: Text): string {
  return `${t(`ui.nav.${screen}`)}: ${part}`
}
