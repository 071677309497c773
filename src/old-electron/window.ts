// What the desktop program says, and doesn't do, in an Electron without security fixes.
import { app, type BrowserWindow, dialog } from 'electron'
import { type LanguageTag, languageFor } from '../base/language/languages'
import { isOldElectron, isWindowAllowed } from './old-electron'

const VERSION = process.versions.electron

interface Words {
  readonly noWindow: string
  readonly noWindowText: (dataDir: string) => string
  /** Stands behind each page's own title. */
  readonly title: string
}

const WORDS: Readonly<Record<LanguageTag, Words>> = {
  en: {
    noWindow: 'No window on this network',
    noWindowText: (dataDir) =>
      `Electron ${VERSION} gets no security fixes any more, so Headframe opens no window on a public network. It runs without one: open the link in ${dataDir}/dashboard-link in your browser, or install a current Electron.`,
    title: `Electron ${VERSION} without security fixes: not for public networks`,
  },
  de: {
    noWindow: 'Kein Fenster in diesem Netz',
    noWindowText: (dataDir) =>
      `Electron ${VERSION} bekommt keine Sicherheitsupdates mehr, deshalb öffnet Headframe in einem öffentlichen Netz kein Fenster. Es läuft ohne Fenster: Öffnen Sie den Link in ${dataDir}/dashboard-link im Browser, oder installieren Sie ein aktuelles Electron.`,
    title: `Electron ${VERSION} ohne Sicherheitsupdates: nicht für öffentliche Netze`,
  },
  es: {
    noWindow: 'Sin ventana en esta red',
    noWindowText: (dataDir) =>
      `Electron ${VERSION} ya no recibe correcciones de seguridad, por eso Headframe no abre ninguna ventana en una red pública. Funciona sin ella: abre en tu navegador el enlace de ${dataDir}/dashboard-link o instala un Electron actual.`,
    title: `Electron ${VERSION} sin correcciones de seguridad: no apto para redes públicas`,
  },
  'pt-BR': {
    noWindow: 'Sem janela nesta rede',
    noWindowText: (dataDir) =>
      `O Electron ${VERSION} não recebe mais correções de segurança, por isso o Headframe não abre janela em uma rede pública. Ele funciona sem janela: abra no navegador o link em ${dataDir}/dashboard-link ou instale um Electron atual.`,
    title: `Electron ${VERSION} sem correções de segurança: não use em redes públicas`,
  },
  ru: {
    noWindow: 'В этой сети окна нет',
    noWindowText: (dataDir) =>
      `Electron ${VERSION} больше не получает обновлений безопасности, поэтому в публичной сети Headframe не открывает окно. Программа работает без него: откройте в браузере ссылку из ${dataDir}/dashboard-link или установите актуальный Electron.`,
    title: `Electron ${VERSION} без обновлений безопасности: не для публичных сетей`,
  },
  'zh-CN': {
    noWindow: '此网络上不显示窗口',
    noWindowText: (dataDir) =>
      `Electron ${VERSION} 已不再获得安全修复，因此 Headframe 不会在公共网络上打开窗口。程序可以无窗口运行：请在浏览器中打开 ${dataDir}/dashboard-link 里的链接，或安装当前版本的 Electron。`,
    title: `Electron ${VERSION} 没有安全修复：不适用于公共网络`,
  },
}

const words = (): Words => WORDS[languageFor([app.getLocale()])]

/**
 * Whether windows may be opened on this network. If not, a dialog says so, and stays while the program runs without one.
 * @param say gets the same text, and what went wrong with the dialog
 */
export async function mayOpenWindow(
  { network, dataDir }: { readonly network: string; readonly dataDir: string },
  say: (text: string) => void,
): Promise<boolean> {
  if (isWindowAllowed(VERSION, network)) return true
  await app.whenReady()
  const { noWindow, noWindowText } = words()
  const detail = noWindowText(dataDir)
  say(detail)
  dialog.showMessageBox({ type: 'warning', message: noWindow, detail }).catch((error: unknown) => say(String(error)))
  return false
}

/** Each title of this window says it, too. */
export function markTitle(window: BrowserWindow): void {
  if (!isOldElectron(VERSION)) return
  window.on('page-title-updated', (event, title) => {
    event.preventDefault()
    if (!window.isDestroyed()) window.setTitle(`${title} (${words().title})`)
  })
}
