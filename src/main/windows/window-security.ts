// What every window is forbidden: Node, other pages, new windows, permissions, the network. Asserted by e2e/, not only set here.
import { pathToFileURL } from 'node:url'
import { app, type BrowserWindowConstructorOptions, type Session, shell, type WebContents } from 'electron'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { CONTENT_SECURITY_POLICY } from '../../contract/page-policy'
import { isOwnResource, isSamePage, outsideAddress } from './page-address'

/** Text put on the clipboard by a press of the user (Copy); nothing may be read from there. */
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
 * Adds the policy to every answer, denies every permission but to copy, and ends every request that is not for a file of the built pages:
 * the pages' own policy says the same, but a page is what an attacker would have.
 */
export function secureSession(session: Session, rendererDir: string, log: Logger): void {
  const pages = pathToFileURL(rendererDir).href
  session.webRequest.onBeforeRequest((details, done) => {
    const isOurs = isOwnResource(details.url, pages, { devTools: !app.isPackaged })
    if (!isOurs) log.warn('a page asked for what is not its own', { url: shortened(details.url) })
    done({ cancel: !isOurs })
  })
  session.webRequest.onHeadersReceived((details, done) => {
    done({ responseHeaders: { ...details.responseHeaders, 'Content-Security-Policy': [CONTENT_SECURITY_POLICY] } })
  })
  session.setPermissionRequestHandler((_contents, permission, done) => done(permission === COPY))
  session.setPermissionCheckHandler((_contents, permission) => permission === COPY)
  session.setDevicePermissionHandler(() => false)
  // Even with spellcheck off in every window it would fetch a dictionary from its maker's host, past the filter above.
  session.setSpellCheckerLanguages([])
  session.setSpellCheckerEnabled(false)
  // What the pages themselves made may be saved, where the user says.
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith('blob:')) event.preventDefault()
  })
}

/** Any web contents that are not made by us, however they came to be, go nowhere. */
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

export interface OwnPage {
  /** file: URL of the page. */
  readonly page: string
  /** Asked first about an address that the page wants to go to; true = it was a wish of ours and is done. */
  readonly onAddress?: (url: string) => boolean
}

/** Keeps `contents` on its page; https links open in the system's browser, everything else is dropped. */
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
  // Nothing to do when the system has no browser: the link simply does not open.
  shell.openExternal(address).catch(() => undefined)
}

function shortened(url: string): string {
  return url.length > 200 ? `${url.slice(0, 200)}…` : url
}
