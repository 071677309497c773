// Copies text, or saves it. A page that is neither local nor encrypted has no clipboard API, so the old method is used there.

/** Never rejects. @returns false when the browser refused */
export async function copyText(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard === undefined) return copyByHand(text)
  try {
    await clipboard.writeText(text)
    return true
  } catch {
    return copyByHand(text)
  }
}

/**
 * Selects the text in an invisible field, inside the open dialog if there is one: outside, the field can't get focus.
 */
function copyByHand(text: string): boolean {
  if (typeof document.execCommand !== 'function') return false
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  const home = document.querySelector('[role=dialog], [role=alertdialog]') ?? document.body
  home.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return isDone
}

/** Offers text as a file. Made by the browser itself, without a request; the desktop program asks where to save it. */
export function saveText(text: string, name: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
