// Errors in a box of the operating system, for starts without a terminal.
import { app, dialog } from 'electron'
import { messageOf } from '../../base/errors'
import { onAbort } from '../../base/on-abort'
import { printLine } from '../../files/print-line'

interface ErrorBox {
  readonly message: string
  readonly detail: string
}

/**
 * Resolves when the box is closed, or `quit` aborts. Not Electron's own error box: that one blocks the whole program,
 * which then hears no signal.
 */
export async function showError(box: ErrorBox, quit: AbortSignal): Promise<void> {
  if (!app.isPackaged || process.stderr.isTTY || quit.aborted) return
  await new Promise<void>((resolve) => {
    onAbort(quit, resolve)
    dialog.showMessageBox({ type: 'error', ...box, signal: quit }).then(
      () => resolve(),
      (error: unknown) => {
        printLine(process.stderr, `headframe: ${messageOf(error)}`)
        resolve()
      },
    )
  })
}
