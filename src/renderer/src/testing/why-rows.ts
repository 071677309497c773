// Opens what a figure is made of, and reads it; for tests only.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect } from 'vitest'

/** The button of a figure: by its text, since computing every name takes long. */
export const buttonIn = (part: HTMLElement, name: string | RegExp): HTMLElement | undefined =>
  [...part.querySelectorAll<HTMLElement>('button[aria-expanded]')].find(({ textContent }) => {
    const text = textContent ?? ''
    return typeof name === 'string' ? text === name : name.test(text)
  })

/** Presses a figure in a part of the page. @returns the label and the value of each row, in base units where known */
export async function rowsOf(testId: string, name: string | RegExp): Promise<readonly (readonly [string, string])[]> {
  const button = await waitFor(() => {
    const found = buttonIn(screen.getByTestId(testId), name)
    expect(found, String(name)).toBeTruthy()
    return found
  })
  await act(async () => void (button && fireEvent.click(button)))
  const list = await screen.findByTestId('why-rows')
  return within(list)
    .getAllByRole('listitem')
    .map((row) => {
      const [label, value] = [...row.children]
      const shown = value?.querySelector<HTMLElement>('[data-value]')?.dataset.value
      return [label?.textContent ?? '', shown ?? value?.textContent ?? ''] as const
    })
}
