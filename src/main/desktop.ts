// The windows and the shell of a running backend, their channel to it, and what closing and quitting mean.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  type MenuItemConstructorOptions,
  Notification,
  nativeImage,
  powerMonitor,
  session,
  shell as system,
  Tray,
} from 'electron'
import type { Disposable } from '../base/disposable'
import { messageOf } from '../base/errors'
import { Disposables } from '../base/lifecycle'
import type { Logger } from '../base/logger'
import { type Clock, MINUTE_MS } from '../base/time'
import type { Backend } from '../host/backend'
import type { MachineQuestion } from '../host/ui/ui-handlers'
import type { ShellOptions } from './shell/live-options'
import { installMenu } from './shell/menu'
import { type Notice, Notices } from './shell/notices'
import { Shell } from './shell/shell'
import { isMining, nextPauseEnd, type ShellFacts } from './shell/shell-facts'
import { type TrayAction, type TrayItem, type TrayModel, trayModel } from './shell/tray-model'
import type { ShellWords } from './shell/words/words'
import { parseDeepLink } from './system/deep-link'
import { type PowerChange, Presence } from './system/presence'
import { ApprovalWindow } from './windows/approval-window'
import { DashboardWindow, pageUrl, type WindowFiles } from './windows/dashboard-window'
import { IpcBridge } from './windows/ipc'
import { refuseStrangers, secureSession } from './windows/window-security'

interface DesktopOptions extends WindowFiles {
  readonly dataDir: string
  readonly logsDir: string
  readonly iconsDir: string
}

interface DesktopDeps {
  readonly backend: Backend
  readonly clock: Clock
  readonly log: Logger
  readonly words: ShellWords
  readonly options: () => ShellOptions
}

/** Reading and control; requests are decided in the approval window only. */
const DASHBOARD_ACCESS = { control: true, approve: false, canSignIn: false, isHere: true }
const APPROVAL_ACCESS = { control: false, approve: true, canSignIn: false }

export class Desktop {
  readonly #options: DesktopOptions
  readonly #deps: DesktopDeps
  readonly #held = new Disposables()
  readonly #ipc: IpcBridge
  readonly #approval: ApprovalWindow
  readonly #shell: Shell
  readonly #notices: Notices
  readonly #shownNotices = new Set<Notification>()
  #tray: TrayIcon | null = null
  #dashboard: DashboardWindow | null = null
  #isEnding = false
  #isAsking = false

  /** Needs a ready Electron app and a started backend. */
  constructor(options: DesktopOptions, deps: DesktopDeps) {
    const { backend, clock, log, words } = deps
    this.#options = options
    this.#deps = deps
    this.#held.add(refuseStrangers())
    secureSession(session.defaultSession, options.rendererDir, log)
    this.#ipc = this.#held.add(new IpcBridge(log))
    this.#shell = this.#held.add(new Shell({ ui: backend.ui, clock, log }))
    this.#notices = new Notices({
      clock,
      words,
      wishes: deps.options,
      minuteOfDay,
      show: (notice) => this.#showNotice(notice),
    })
    this.#approval = new ApprovalWindow(
      { ...options, icon: this.#icon() },
      {
        queue: backend.approvals,
        clock,
        log,
        onArrived: () => this.#notices.approvalCame(),
        beside: () => this.#openDashboard()?.browserWindow ?? null,
      },
    )
    this.#ipc.add({
      browserWindow: this.#approval.browserWindow,
      page: pageUrl(options, 'approval.html'),
      attach: (transport) => backend.ui.attach(transport, APPROVAL_ACCESS),
      onShowing: (id) => this.#approval.showing(id),
      onLeave: () => this.#approval.left(),
    })
  }

  /** @param isInTray without a window for now */
  open(isInTray: boolean): void {
    const { backend, log } = this.#deps
    this.#installMenu()
    this.#tray = new TrayIcon({ iconsDir: this.#options.iconsDir, onAction: (action) => this.#act(action) })
    const onFacts = (facts: ShellFacts): void => this.#follow(facts)
    onFacts(this.#shell.facts)
    this.#held.add(this.#shell.events.on('factsChanged', onFacts))
    this.#makeDashboard(!isInTray)
    const presence = new Presence({
      onLeft: () => this.#userLeft(),
      onBack: () => this.#userCameBack(),
      onWake: () => backend.wake(),
      isLocked: isScreenLocked,
    })
    const onChange = (what: PowerChange): void => {
      log.info('power state changed', { state: what })
      presence.tell(what)
    }
    this.#held.add(watchPower({ onChange, onShutdown: () => app.quit() }))
  }

  /** Brings the dashboard to the front; reopens it when it was closed. */
  show(): void {
    const dashboard = this.#openDashboard()
    if (dashboard === null) this.#makeDashboard(true)
    else dashboard.show()
  }

  /** Opens what an external link refers to; anything else is only logged. */
  follow(link: string): void {
    const read = parseDeepLink(link)
    this.show()
    if ('route' in read) this.#dashboard?.goTo(read.route)
    else this.#deps.log.warn('a link was ignored', { link: link.slice(0, 100), reason: read.refused })
  }

  close(): void {
    this.#isEnding = true
    this.#openDashboard()?.store()
    for (const notification of this.#shownNotices) notification.close()
    this.#tray?.dispose()
    this.#held.dispose()
    this.#approval.close()
    for (const window of BrowserWindow.getAllWindows()) window.destroy()
  }

  async askQuit(): Promise<void> {
    const { words } = this.#deps
    const { facts } = this.#shell
    const pauseEnd = nextPauseEnd(facts)
    const consequences = [
      ...(isMining(facts) ? [words.quitMining] : []),
      ...(pauseEnd === null
        ? []
        : [words.quitPause(new Date(pauseEnd).toLocaleTimeString(app.getLocale(), { timeStyle: 'short' }))]),
      ...(facts.waitingApprovals > 0 ? [words.quitRequests(facts.waitingApprovals)] : []),
    ]
    if (this.#isAsking) return
    if (consequences.length > 0) {
      this.#isAsking = true
      const { response } = await dialog.showMessageBox({
        type: 'question',
        message: words.quitTitle,
        detail: consequences.join('\n'),
        buttons: [words.cancel, words.quitShort],
        defaultId: 0,
        cancelId: 0,
      })
      this.#isAsking = false
      if (response !== 1) return
    }
    app.quit()
  }

  /** One question at a time; a second one counts as declined. */
  async #confirm(question: MachineQuestion): Promise<boolean> {
    const { words } = this.#deps
    if (this.#isAsking) return false
    this.#isAsking = true
    try {
      const { response } = await dialog.showMessageBox({
        type: 'warning',
        ...inWords(question, words),
        buttons: [words.cancel, words.allow],
        defaultId: 0,
        cancelId: 0,
      })
      return response === 1
    } finally {
      this.#isAsking = false
    }
  }

  /** One dialog at a time; a second one chooses nothing. */
  async #pickFolder(start: string): Promise<string | null> {
    if (this.#isAsking) return null
    this.#isAsking = true
    try {
      const properties = ['openDirectory' as const, 'createDirectory' as const]
      const { filePaths } = await dialog.showOpenDialog({ defaultPath: start, properties })
      return filePaths[0] ?? null
    } finally {
      this.#isAsking = false
    }
  }

  #userLeft(): void {
    this.#deps.backend.approvals.setAway(true)
    this.#approval.userLeft()
  }

  #userCameBack(): void {
    this.#deps.backend.approvals.setAway(false)
    this.#approval.userCameBack()
  }

  #openDashboard(): DashboardWindow | null {
    const dashboard = this.#dashboard
    return dashboard === null || dashboard.browserWindow.isDestroyed() ? null : dashboard
  }

  #makeDashboard(isShown: boolean): void {
    const { backend, log, words } = this.#deps
    const stateFile = join(this.#options.dataDir, 'window.json')
    const dashboard = new DashboardWindow(
      { ...this.#options, stateFile, icon: this.#icon(), isShown },
      { log, words, onClose: () => this.#onClose() },
    )
    this.#dashboard = dashboard
    this.#ipc.add({
      browserWindow: dashboard.browserWindow,
      page: pageUrl(this.#options, 'index.html'),
      attach: (transport) =>
        backend.ui.attach(transport, {
          ...DASHBOARD_ACCESS,
          confirm: (question) => this.#confirm(question),
          pickFolder: (start) => this.#pickFolder(start),
        }),
    })
  }

  /** Hides to the tray, or quits the program; never just closes. */
  #onClose(): boolean {
    if (this.#isEnding) return true
    const dashboard = this.#openDashboard()
    if (!this.#deps.options().closeToTray) {
      this.#settle(this.askQuit())
      return false
    }
    dashboard?.browserWindow.hide()
    if (dashboard !== null && !dashboard.isTrayExplained) this.#settle(this.#explainTray(dashboard))
    return false
  }

  async #explainTray(dashboard: DashboardWindow): Promise<void> {
    const { words } = this.#deps
    dashboard.trayWasExplained()
    const { response } = await dialog.showMessageBox({
      type: 'info',
      message: words.trayTitle,
      detail: words.trayText,
      buttons: [words.trayKeep, words.quitShort],
      defaultId: 0,
      cancelId: 0,
    })
    if (response === 1) await this.askQuit()
  }

  #follow(facts: ShellFacts): void {
    this.#tray?.draw(trayModel(facts, this.#deps.words))
    this.#notices.look(facts)
    app.setBadgeCount(facts.waitingApprovals)
    this.#openDashboard()?.browserWindow.setProgressBar(facts.syncFraction ?? -1)
  }

  #act(action: TrayAction): void {
    if (action.do === 'open') this.show()
    else if (action.do === 'quit') this.#settle(this.askQuit())
    else if (action.do === 'lock') this.#shell.lockSigner()
    else if (action.do === 'approvals') this.#approval.open()
    else if (action.do === 'pause') this.#shell.pause(action.device, action.forSeconds)
    else this.#shell.resume(action.device)
  }

  #installMenu(): void {
    const goTo = (route: string): void => {
      this.show()
      this.#dashboard?.goTo(route)
    }
    const { logsDir } = this.#options
    installMenu(
      {
        goTo,
        pauseAll: (forSeconds) => this.#shell.pause(null, forSeconds),
        resumeAll: () => this.#shell.resume(null),
        zoom: (step) => this.#dashboard?.zoom(step),
        reload: () => this.#dashboard?.reload(),
        openSigner: () => this.#approval.open(),
        saveBundle: () => this.#settle(saveBundle(this.#shell, this.#deps.words)),
        tellPage: (command) => {
          this.show()
          this.#dashboard?.tell(command)
        },
        openLogs: () => this.#settle(system.openPath(logsDir)),
        quit: () => this.#settle(this.askQuit()),
      },
      this.#deps.words,
      app.getVersion(),
    )
  }

  /** A click opens the place; it never decides anything. */
  #showNotice({ kind, body, route }: Notice): void {
    if (!Notification.isSupported()) return
    const notification = new Notification({ title: 'Headframe', body, icon: this.#icon() })
    this.#shownNotices.add(notification) // a garbage-collected one can't be clicked anymore
    notification.on('close', () => this.#shownNotices.delete(notification))
    notification.on('click', () => {
      this.#shownNotices.delete(notification)
      if (kind === 'approval') return this.#approval.open()
      this.show()
      this.#dashboard?.goTo(route)
    })
    notification.show()
  }

  #icon(): string {
    return join(this.#options.iconsDir, '256x256.png')
  }

  #settle(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#deps.log.warn('desktop shell action failed', { error }))
  }
}

function minuteOfDay(at: number): number {
  return Math.floor((at - new Date(at).getTimezoneOffset() * MINUTE_MS) / MINUTE_MS) % 1_440
}

function inWords(question: MachineQuestion, words: ShellWords): { readonly message: string; readonly detail: string } {
  switch (question.kind) {
    case 'setting':
      return { message: words.settingTitle, detail: words.settingText(question.name, question.value.slice(0, 300)) }
    case 'keepUnlocked':
      return { message: words.keepTitle, detail: words.keepText }
    case 'remote': {
      const detail = question.mode === 'plain' ? `${words.remoteText}\n${words.remotePlain}` : words.remoteText
      return { message: words.remoteTitle, detail }
    }
  }
}

/** Where the user chooses; nothing is sent anywhere. */
async function saveBundle(shell: Pick<Shell, 'supportBundle'>, words: ShellWords): Promise<void> {
  const { name, text } = await shell.supportBundle()
  const { filePath, canceled } = await dialog.showSaveDialog({
    defaultPath: join(app.getPath('documents'), name),
    filters: [{ name: 'Text', extensions: ['txt'] }],
  })
  if (canceled || filePath === undefined || filePath === '') return
  try {
    await writeFile(filePath, text, { mode: 0o600 })
  } catch (error) {
    // Electron's error box would halt mining until it is closed.
    await dialog.showMessageBox({ type: 'error', message: words.bundleFailed, detail: messageOf(error) })
  }
}

interface PowerListener {
  readonly onChange: (what: PowerChange) => void
  readonly onShutdown: () => void
}

/** Listens until disposed. Needs a ready Electron app. */
function watchPower({ onChange, onShutdown }: PowerListener): Disposables {
  const held = new Disposables()
  const listeners = {
    suspend: () => onChange('suspend'),
    'lock-screen': () => onChange('lock-screen'),
    resume: () => onChange('resume'),
    'unlock-screen': () => onChange('unlock-screen'),
    shutdown: onShutdown,
  }
  for (const [name, listener] of Object.entries(listeners)) powerMonitor.on(name as 'resume', listener)
  held.defer(() => {
    for (const [name, listener] of Object.entries(listeners)) powerMonitor.off(name as 'resume', listener)
  })
  return held
}

/** False also when the system doesn't report it. */
function isScreenLocked(): boolean {
  return powerMonitor.getSystemIdleState(1) === 'locked'
}

interface TrayIconOptions {
  /** Folder with `tray-<state>.png`. */
  readonly iconsDir: string
  readonly onAction: (action: TrayAction) => void
}

/** The tray icon: state, tooltip and menu. Redrawn only when one of them changed. */
class TrayIcon implements Disposable {
  readonly #options: TrayIconOptions
  readonly #tray: Tray
  #drawn = ''
  #state: TrayModel['state'] = 'off'

  constructor(options: TrayIconOptions) {
    this.#options = options
    this.#tray = new Tray(this.#picture('off'))
    this.#tray.on('click', () => options.onAction({ do: 'open' }))
  }

  draw(model: TrayModel): void {
    if (model.state !== this.#state) {
      this.#state = model.state
      this.#tray.setImage(this.#picture(model.state))
    }
    this.#tray.setToolTip(model.tooltip)
    // Redrawing closes an open menu; so only on a change.
    const drawn = JSON.stringify(model.items)
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    this.#tray.setContextMenu(Menu.buildFromTemplate(model.items.map((item) => this.#entry(item))))
  }

  dispose(): void {
    this.#tray.destroy()
  }

  #entry(item: TrayItem): MenuItemConstructorOptions {
    if (item.kind === 'line') return { type: 'separator' }
    if (item.kind === 'group') return { label: item.label, submenu: item.items.map((one) => this.#entry(one)) }
    const { label, enabled, action } = item
    return { label, enabled, click: () => this.#options.onAction(action) }
  }

  /** Electron finds the `@2x` file; macOS recolors a template image itself. */
  #picture(state: TrayModel['state']): Electron.NativeImage {
    const isMac = process.platform === 'darwin'
    const image = nativeImage.createFromPath(
      join(this.#options.iconsDir, `tray-${state}${isMac ? 'Template' : ''}.png`),
    )
    image.setTemplateImage(isMac)
    return image
  }
}
