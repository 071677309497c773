// The application menu: screens, miner, node, zoom, and the logs; editing through the platform's roles.
import { Menu, type MenuItemConstructorOptions } from 'electron'
import { type MenuCommand, screenNames, screenRoutes } from '../../contract/menu'
import type { ShellWords } from './words/words'

interface MenuActions {
  readonly goTo: (route: string) => void
  readonly pauseAll: (forSeconds: number | null) => void
  readonly resumeAll: () => void
  readonly zoom: (step: -1 | 0 | 1) => void
  readonly reload: () => void
  readonly openSigner: () => void
  readonly openLogs: () => void
  readonly saveBundle: () => void
  /** What only the page itself can do. */
  readonly tellPage: (command: MenuCommand) => void
  readonly quit: () => void
}

const NODE_TABS = [
  ['sync', '/node'],
  ['peers', '/node/peers'],
  ['mempool', '/node/mempool'],
  ['blocks', '/node/blocks'],
] as const

/** Installs it for every window that has one. */
export function installMenu(actions: MenuActions, words: ShellWords, version: string): void {
  const template = [fileMenu(actions, words), editMenu(words), viewMenu(actions, words)]
  const trades = [minerMenu(actions, words), nodeMenu(actions, words)]
  const help: MenuItemConstructorOptions = {
    role: 'help',
    label: words.menuHelp,
    submenu: [
      // The page handles this key; here it is only displayed.
      {
        label: words.keys,
        accelerator: '?',
        registerAccelerator: false,
        click: () => actions.tellPage({ do: 'keys' }),
      },
      { label: words.logsFolder, click: () => actions.openLogs() },
      { label: words.supportBundle, click: () => actions.saveBundle() },
      { type: 'separator' },
      { label: words.about(version), enabled: false },
    ],
  }
  Menu.setApplicationMenu(Menu.buildFromTemplate([...template, ...trades, windowMenu(actions, words), help]))
}

function fileMenu({ goTo, quit }: MenuActions, words: ShellWords): MenuItemConstructorOptions {
  return {
    label: words.menuFile,
    submenu: [
      // The page handles this key; here it is only displayed.
      {
        label: words.settings,
        accelerator: 'CmdOrCtrl+,',
        registerAccelerator: false,
        click: () => goTo('/settings'),
      },
      { type: 'separator' },
      { label: words.closeWindow, role: 'close' },
      { label: words.quit, accelerator: 'CmdOrCtrl+Q', click: () => quit() },
    ],
  }
}

function editMenu(words: ShellWords): MenuItemConstructorOptions {
  return {
    label: words.menuEdit,
    submenu: [
      { label: words.undo, role: 'undo' },
      { label: words.redo, role: 'redo' },
      { type: 'separator' },
      { label: words.cut, role: 'cut' },
      { label: words.copy, role: 'copy' },
      { label: words.paste, role: 'paste' },
      { label: words.selectAll, role: 'selectAll' },
    ],
  }
}

function viewMenu({ goTo, zoom, reload, tellPage }: MenuActions, words: ShellWords): MenuItemConstructorOptions {
  const screens = screenNames.map((name, index) => ({
    label: words.screens[name],
    accelerator: `CmdOrCtrl+${index + 1}`,
    click: () => goTo(screenRoutes[name]),
  }))
  return {
    label: words.menuView,
    submenu: [
      ...screens,
      { type: 'separator' },
      { label: words.zoomIn, accelerator: 'CmdOrCtrl+Plus', click: () => zoom(1) },
      { label: words.zoomIn, accelerator: 'CmdOrCtrl+=', visible: false, click: () => zoom(1) },
      { label: words.zoomOut, accelerator: 'CmdOrCtrl+-', click: () => zoom(-1) },
      { label: words.zoomReset, accelerator: 'CmdOrCtrl+0', click: () => zoom(0) },
      { type: 'separator' },
      {
        label: words.theme,
        submenu: (['system', 'dark', 'light'] as const).map((theme) => ({
          label: { system: words.themeSystem, dark: words.themeDark, light: words.themeLight }[theme],
          click: () => tellPage({ do: 'theme', theme }),
        })),
      },
      {
        label: words.freeze,
        accelerator: '.',
        registerAccelerator: false,
        click: () => tellPage({ do: 'freeze' }),
      },
      { type: 'separator' },
      { label: words.reload, accelerator: 'CmdOrCtrl+R', click: () => reload() },
      { label: words.fullScreen, role: 'togglefullscreen' },
    ],
  }
}

function minerMenu({ pauseAll, resumeAll }: MenuActions, words: ShellWords): MenuItemConstructorOptions {
  return {
    label: words.menuMiner,
    submenu: [
      { label: words.pauseAll, click: () => pauseAll(null) },
      { label: words.pauseTenMinutes, click: () => pauseAll(600) },
      { label: words.pauseHour, click: () => pauseAll(3_600) },
      { label: words.resumeAll, click: () => resumeAll() },
    ],
  }
}

function nodeMenu({ goTo }: MenuActions, words: ShellWords): MenuItemConstructorOptions {
  return {
    label: words.menuNode,
    submenu: NODE_TABS.map(([name, route]) => ({ label: words[name], click: () => goTo(route) })),
  }
}

function windowMenu({ openSigner }: MenuActions, words: ShellWords): MenuItemConstructorOptions {
  return {
    role: 'windowMenu',
    label: words.menuWindow,
    submenu: [
      { label: words.signer, click: () => openSigner() },
      { type: 'separator' },
      { label: words.minimize, role: 'minimize' },
    ],
  }
}
