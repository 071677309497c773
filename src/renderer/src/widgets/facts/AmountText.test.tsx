// An amount is shown in full in every language, even if digits are grouped with the same space that precedes the unit.
import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { languageTags } from '../../../../base/language/languages'
import { LanguageProvider } from '../../i18n/text'
import { AmountText } from './Value'

const WEI = '1234567500000000000000000'

it.each([...languageTags, 'fr', 'de-CH'])('in %s', (locale) => {
  for (const form of ['list', 'exact'] as const) {
    const { container, unmount } = render(
      <LanguageProvider locale={locale} catalogue={{}}>
        <AmountText wei={WEI} form={form} />
      </LanguageProvider>,
    )
    const text = container.textContent ?? ''

    expect(text.replace(/\D/g, '')).toBe('12345675')
    expect(text.endsWith('\u00a0LAX')).toBe(true)
    expect(container.querySelector('bdi > span')?.textContent).toBe('\u00a0LAX')
    unmount()
  }
})

it('unknown as a dash without a unit', () => {
  const { container } = render(
    <LanguageProvider locale="ru" catalogue={{}}>
      <AmountText wei={null} form="exact" />
    </LanguageProvider>,
  )
  expect(container.textContent).toBe('–')
})
