// What every window is forbidden: Node, other pages, new windows, permissions. Asserted by e2e/, not only set here.
import { app, type BrowserWindowConstructorOptions, type Session, shell, type WebContents } from 'electron'
import { CONTENT_SECURITY_POLICY } from '../contract/page-policy'
import { isSamePage, outsideAddress } from './page-address'

/** The preferences of every window of ours. */
export function securePreferences(preload: string): NonNullable<BrowserWindowConstructorOptions['webPreferences']> {
  return {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: !app.isPackaged,
  }
}

/** Adds the policy to every answer and denies every permission. */
export function secureSession(session: Session): void {
  session.webRequest.onHeadersReceived((details, done) => {
    done({ responseHeaders: { ...details.responseHeaders, 'Content-Security-Policy': [CONTENT_SECURITY_POLICY] } })
  })
  session.setPermissionRequestHandler((_contents, _permission, done) => done(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}

/** Keeps `contents` on `page` (a file: URL); https links open in the system's browser, everything else is dropped. */
export function secureContents(contents: WebContents, page: string): void {
  const leave = (event: { preventDefault(): void }, url: string): void => {
    if (isSamePage(url, page)) return
    event.preventDefault()
    openOutside(url)
  }
  contents.on('will-navigate', leave)
  contents.on('will-redirect', leave)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url)
    return { action: 'deny' }
  })
}

function openOutside(url: string): void {
  const address = outsideAddress(url)
  if (address === null) return
  // Nothing to do when the system has no browser: the link simply does not open.
  shell.openExternal(address).catch(() => undefined)
}
