// The windows of a running backend: dashboard, approval, the channel between them and the backend, menu, power events.
import { join } from 'node:path'
import { app, BrowserWindow, powerMonitor, session } from 'electron'
import { Disposables } from '../base/lifecycle'
import type { Logger } from '../base/logger'
import type { Clock } from '../base/time'
import type { Backend } from '../host/backend'
import type { Platform } from '../host/platform'
import { ApprovalWindow } from './approval-window'
import { openDashboardWindow, pageUrl, type WindowFiles } from './dashboard-window'
import { IpcBridge } from './ipc'
import { installMenu } from './menu'
import { secureSession } from './window-security'

export interface DesktopOptions extends WindowFiles {
  readonly dataDir: string
  readonly logsDir: string
}

export interface DesktopDeps {
  readonly backend: Backend
  readonly clock: Clock
  readonly log: Logger
  readonly notify: Platform['notify']
}

/** Reading and control; what is signed is decided in the approval window only. */
const DASHBOARD_ACCESS = { control: true, approve: false, canSignIn: false }
const APPROVAL_ACCESS = { control: false, approve: true, canSignIn: false }

export class Desktop {
  readonly #options: DesktopOptions
  readonly #deps: DesktopDeps
  readonly #held = new Disposables()
  readonly #ipc: IpcBridge
  #dashboard: BrowserWindow | null = null
  #approval: ApprovalWindow | null = null

  /** Needs a ready Electron app. */
  constructor(options: DesktopOptions, deps: DesktopDeps) {
    this.#options = options
    this.#deps = deps
    this.#ipc = this.#held.add(new IpcBridge(deps.log))
  }

  open(): void {
    const { backend, clock, log, notify } = this.#deps
    secureSession(session.defaultSession)
    installMenu({ logsDir: this.#options.logsDir, openSigner: () => this.#approval?.open() })
    const approval = new ApprovalWindow(this.#options, { queue: backend.approvals, clock, log, notify })
    this.#approval = approval
    this.#ipc.add({
      browserWindow: approval.browserWindow,
      page: pageUrl(this.#options, 'approval.html'),
      attach: (transport) => backend.ui.attach(transport, APPROVAL_ACCESS),
      onShowing: (id) => approval.showing(id),
    })
    this.show()
    this.#followPower()
  }

  /** The dashboard in front; opened anew when it was closed. */
  show(): void {
    if (this.#dashboard !== null && !this.#dashboard.isDestroyed()) {
      if (this.#dashboard.isMinimized()) this.#dashboard.restore()
      this.#dashboard.focus()
      return
    }
    const { backend, log } = this.#deps
    const dashboard = openDashboardWindow({
      ...this.#options,
      stateFile: join(this.#options.dataDir, 'window.json'),
      log,
    })
    this.#dashboard = dashboard
    this.#ipc.add({
      browserWindow: dashboard,
      page: pageUrl(this.#options, 'index.html'),
      attach: (transport) => backend.ui.attach(transport, DASHBOARD_ACCESS),
    })
    // The approval window alone is no program: without the dashboard it ends (the tray of a later version changes that).
    dashboard.once('closed', () => app.quit())
  }

  close(): void {
    this.#held.dispose()
    this.#approval?.close()
    for (const window of BrowserWindow.getAllWindows()) window.destroy()
  }

  #followPower(): void {
    const { log } = this.#deps
    const tell = (what: string) => (): void => log.info('power state changed', { state: what })
    const onSuspend = tell('suspend')
    const onResume = tell('resume')
    const onShutdown = (): void => app.quit()
    powerMonitor.on('suspend', onSuspend)
    powerMonitor.on('resume', onResume)
    powerMonitor.on('shutdown', onShutdown)
    this.#held.defer(() => {
      powerMonitor.removeListener('suspend', onSuspend)
      powerMonitor.removeListener('resume', onResume)
      powerMonitor.removeListener('shutdown', onShutdown)
    })
  }
}
