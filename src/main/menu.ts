// The application menu: editing by the platform's own roles, zoom, and the way to the logs.
import { Menu, shell } from 'electron'

/** Installs it for every window that has one. */
export function installMenu(options: { readonly logsDir: string; readonly openSigner: () => void }): void {
  const menu = Menu.buildFromTemplate([
    { role: 'fileMenu' },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    {
      role: 'windowMenu',
      submenu: [
        { label: 'Signer', click: () => options.openSigner() },
        { type: 'separator' },
        { role: 'minimize' },
        { role: 'close' },
      ],
    },
    { role: 'help', submenu: [{ label: 'Open logs folder', click: () => void shell.openPath(options.logsDir) }] },
  ])
  Menu.setApplicationMenu(menu)
}
