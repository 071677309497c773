// What every window is denied: Node, other pages, new windows, permissions, network. e2e/ verifies it.
import { pathToFileURL } from 'node:url'
import { app, type BrowserWindowConstructorOptions, type Session, shell, type WebContents } from 'electron'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { CONTENT_SECURITY_POLICY } from '../../contract/app'
import { isOwnResource, isSamePage, outsideAddress } from './page-address'

/** Copying to the clipboard on a user action; reading isn't allowed. */
const COPY = 'clipboard-sanitized-write'

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

/**
 * Adds the policy to every response, denies every permission except copying, and blocks every request that isn't for a
 * file of the built pages: the pages' own policy says the same, but a page is what an attacker would control.
 */
export function secureSession(session: Session, rendererDir: string, log: Logger): void {
  const pages = pathToFileURL(rendererDir).href
  session.webRequest.onBeforeRequest((details, done) => {
    const isOurs = isOwnResource(details.url, pages, { devTools: !app.isPackaged })
    if (!isOurs) log.warn('page requested a foreign URL', { url: shortened(details.url) })
    done({ cancel: !isOurs })
  })
  session.webRequest.onHeadersReceived((details, done) => {
    done({ responseHeaders: { ...details.responseHeaders, 'Content-Security-Policy': [CONTENT_SECURITY_POLICY] } })
  })
  session.setPermissionRequestHandler((_contents, permission, done) => done(permission === COPY))
  session.setPermissionCheckHandler((_contents, permission) => permission === COPY)
  session.setDevicePermissionHandler(() => false)
  // Even with spellcheck off in every window Electron would fetch a dictionary from its host, bypassing the filter
  // above.
  session.setSpellCheckerLanguages([])
  session.setSpellCheckerEnabled(false)
  // What the pages themselves created may be saved, where the user chooses.
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith('blob:')) event.preventDefault()
  })
}

/** Web contents not created by us may not navigate anywhere. */
export function refuseStrangers(): Disposables {
  const onCreated = (_event: unknown, contents: WebContents): void => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    contents.on('will-attach-webview', (event) => event.preventDefault())
  }
  app.on('web-contents-created', onCreated)
  const held = new Disposables()
  held.defer(() => app.removeListener('web-contents-created', onCreated))
  return held
}

interface OwnPage {
  /** file: URL of the page. */
  readonly page: string
  /** Called first with an address the page navigates to; true = it was a command of ours and is handled. */
  readonly onAddress?: (url: string) => boolean
}

/** Keeps `contents` on its page; https links open in the system's browser, everything else is blocked. */
export function secureContents(contents: WebContents, { page, onAddress = () => false }: OwnPage): void {
  const leave = (event: { preventDefault(): void }, url: string): void => {
    if (isSamePage(url, page)) return
    event.preventDefault()
    if (!onAddress(url)) openOutside(url)
  }
  contents.on('will-navigate', leave)
  contents.on('will-redirect', leave)
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url)
    return { action: 'deny' }
  })
}

function openOutside(url: string): void {
  const address = outsideAddress(url)
  if (address === null) return
  // Nothing to do when the system has no browser: the link doesn't open.
  shell.openExternal(address).catch(() => undefined)
}

function shortened(url: string): string {
  return url.length > 200 ? `${url.slice(0, 200)}…` : url
}
