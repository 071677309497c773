// The tray's content: state, tooltip, and menu as data. Approvals are never decided here, only opened.
import type { DeviceView } from '../../contract/miner'
import { type ShellFacts, type ShellState, stateOf } from './shell-facts'
import type { ShellWords } from './words/words'

export type TrayAction =
  | { readonly do: 'open' }
  | { readonly do: 'approvals' }
  | { readonly do: 'lock' }
  | { readonly do: 'quit' }
  | { readonly do: 'pause'; readonly device: number | null; readonly forSeconds: number | null }
  | { readonly do: 'resume'; readonly device: number | null }

export type TrayItem =
  | { readonly kind: 'action'; readonly label: string; readonly enabled: boolean; readonly action: TrayAction }
  | { readonly kind: 'group'; readonly label: string; readonly items: readonly TrayItem[] }
  | { readonly kind: 'line' }

export interface TrayModel {
  readonly state: ShellState
  readonly tooltip: string
  readonly items: readonly TrayItem[]
}

const TEN_MINUTES_S = 600
const HOUR_S = 3_600
/** Further ones can be paused on their screen. */
const MAX_DEVICES = 32
const LINE: TrayItem = { kind: 'line' }

export function trayModel(facts: ShellFacts, words: ShellWords): TrayModel {
  const { devices, waitingApprovals } = facts
  const canPause = devices.some(({ paused }) => !paused)
  const canResume = devices.some(({ paused, canResume: can }) => paused && can)
  const pause = (label: string, forSeconds: number | null) =>
    item(label, { do: 'pause', device: null, forSeconds }, canPause)
  const one = devices.slice(0, MAX_DEVICES).map((device) => deviceItem(device, words))
  return {
    state: stateOf(facts),
    tooltip: tooltipOf(facts, words),
    items: [
      item(words.open, { do: 'open' }),
      LINE,
      pause(words.pauseAll, null),
      pause(words.pauseTenMinutes, TEN_MINUTES_S),
      pause(words.pauseHour, HOUR_S),
      item(words.resumeAll, { do: 'resume', device: null }, canResume),
      ...(one.length > 1 ? [{ kind: 'group' as const, label: words.devices, items: one }] : []),
      LINE,
      item(
        waitingApprovals === 0 ? words.noApprovals : words.approvals(waitingApprovals),
        { do: 'approvals' },
        waitingApprovals > 0,
      ),
      item(words.lockSigner, { do: 'lock' }, facts.isVaultOpen),
      LINE,
      item(words.quit, { do: 'quit' }),
    ],
  }
}

function item(label: string, action: TrayAction, enabled = true): TrayItem {
  return { kind: 'action', label: label.replace(/&/g, '&&'), enabled, action }
}

function deviceItem({ index, name, paused, canResume }: DeviceView, words: ShellWords): TrayItem {
  const title = `${index} ${name}`
  return paused
    ? item(words.resumeDevice(title), { do: 'resume', device: index }, canResume)
    : item(words.pauseDevice(title), { do: 'pause', device: index, forSeconds: null })
}

/** `59.0 MH/s, 206 W, hottest 88 °C`, as far as known; the state in words while not mining. */
function tooltipOf(facts: ShellFacts, words: ShellWords): string {
  const { devices, status } = facts
  const state = stateOf(facts)
  const hashrate = status?.hashrate.now ?? 0
  const watts = sum(devices.map(({ powerWatts }) => powerWatts))
  const celsius = highest(devices.flatMap(({ temperature: t }) => [t.core, t.hotspot, t.memory]))
  const parts = [
    ...(state === 'mining' ? [] : [stateText(state, words)]),
    ...(hashrate > 0 ? [hashrateText(hashrate)] : []),
    ...(watts === null ? [] : [`${Math.round(watts)} W`]),
    ...(celsius === null ? [] : [words.hottest(`${Math.round(celsius)} °C`)]),
  ]
  return `Headframe: ${parts.join(', ')}`
}

function stateText(state: ShellState, words: ShellWords): string {
  const texts: Readonly<Record<ShellState, string>> = {
    mining: words.stateMining,
    paused: words.statePaused,
    attention: words.stateAttention,
    problem: words.stateProblem,
    off: words.stateOff,
  }
  return texts[state]
}

/** H/s in the unit that leaves one to three digits before the point. */
function hashrateText(hashesPerSecond: number): string {
  const units = ['H/s', 'kH/s', 'MH/s', 'GH/s', 'TH/s']
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(hashesPerSecond) / 3)))
  return `${(hashesPerSecond / 1_000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`
}

function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0)
}

function highest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}
