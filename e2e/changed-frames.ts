// Like the changed channel, in the desktop program: the test is between the main process and its dashboard.
import type { ElectronApplication } from 'playwright-core'
import type { ChangedChannel } from './changed-channel'

export interface ChangedFrames extends ChangedChannel {
  /** Lets everything through unchanged again. */
  reset(): Promise<void>
}

/** Once per start of the program; its changes outlive a reload of the page. */
export async function changeFrames(app: ElectronApplication): Promise<ChangedFrames> {
  await app.evaluate(standBetween)
  const tell = async (action: string, name: string | null, value: unknown = null): Promise<unknown> =>
    app.evaluate((_electron, told) => Reflect.get(globalThis, 'changedFrames')(...told), [action, name, value] as const)
  return {
    hold: async (name) => void (await tell('hold', name)),
    release: async (name) => void (await tell('release', name)),
    fail: async (name, message) => void (await tell('fail', name, message)),
    change: async (name, fields) => void (await tell('change', name, fields)),
    count: async (name) => Number(await tell('count', name)),
    reset: async () => void (await tell('reset', null)),
  }
}

interface Frame {
  readonly t: string
  readonly id?: number
  readonly name?: string
  readonly payload?: unknown
  readonly result?: unknown
}

/** Runs in the main process, so it must be self-contained. */
function standBetween({ BrowserWindow, ipcMain }: typeof import('electron')): void {
  const FRAMES = 'headframe:frame'
  const held = new Map<string, Frame[]>()
  const free = new Set<string>()
  const failures = new Map<string, string>()
  const changes = new Map<string, object>()
  const last = new Map<string, Frame>()
  const counts = new Map<string, number>()
  const asked = new Map<number, string>()
  const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().includes('/index.html'))
  if (window === undefined) throw new Error('there is no dashboard to stand before')
  const { webContents } = window
  const send = webContents.send.bind(webContents)

  const shown = (frame: Frame): Frame => {
    const call = frame.t === 'event' ? undefined : asked.get(frame.id ?? -1)
    const fields = changes.get(frame.name ?? call ?? '')
    if (fields === undefined) return frame
    return call === undefined
      ? { ...frame, payload: { ...Object(frame.payload), ...fields } }
      : { ...frame, t: 'result', result: { ...Object(frame.result), ...fields } }
  }
  webContents.send = (channel: string, ...content: unknown[]) => {
    if (channel !== FRAMES) return send(channel, ...content)
    const frame: Frame = Object(content[0])
    if (frame.name !== undefined) last.set(frame.name, frame)
    const name = frame.name ?? asked.get(frame.id ?? -1) ?? ''
    const waiting = held.get(name) ?? (free.has(name) ? undefined : held.get('*'))
    waiting === undefined ? send(channel, shown(frame)) : waiting.push(shown(frame))
  }
  const listeners = ipcMain.listeners(FRAMES)
  ipcMain.removeAllListeners(FRAMES)
  ipcMain.on(FRAMES, (event, content) => {
    const { id, name = '' }: Frame = Object(content)
    const isOurs = event.sender.id === webContents.id
    if (isOurs && id !== undefined) asked.set(id, name)
    if (isOurs) counts.set(name, (counts.get(name) ?? 0) + 1)
    const failure = isOurs ? failures.get(name) : undefined
    if (failure === undefined) for (const listener of listeners) listener(event, content)
    else send(FRAMES, { t: 'error', id, code: 'CONTRACT_FAILED', message: failure, data: null })
  })
  const release = (name: string): void => {
    for (const frame of held.get(name) ?? []) send(FRAMES, frame)
    held.delete(name)
  }
  Reflect.set(globalThis, 'changedFrames', (action: string, given: string | null, value: unknown) => {
    const name = given ?? '*'
    if (action === 'hold') held.set(name, [])
    if (action === 'release') given === null ? free.clear() : free.add(name)
    if (action === 'release') for (const one of given === null ? [...held.keys()] : [name]) release(one)
    if (action === 'fail') value === null ? failures.delete(name) : failures.set(name, String(value))
    if (action === 'change') {
      changes.set(name, Object(value))
      const frame = last.get(name)
      if (frame !== undefined) send(FRAMES, shown(frame))
    }
    if (action === 'reset') for (const map of [held, free, failures, changes, counts]) map.clear()
    return counts.get(name) ?? 0
  })
}
