// The tray icon: state, tooltip and menu. Redrawn only when one of them changed.
import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { Disposable } from '../../base/disposable'
import type { TrayAction, TrayItem, TrayModel } from './tray-model'

interface TrayIconOptions {
  /** Folder with `tray-<state>.png`. */
  readonly iconsDir: string
  readonly onAction: (action: TrayAction) => void
}

export class TrayIcon implements Disposable {
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
