// The signer's words in Chinese, which sets spaces beside foreign letters only.
import { expect, it } from 'vitest'
import { recognized } from './said'
import { createLanguage } from './text'
import chinese from './texts/zh.json'

const { t } = createLanguage('zh-CN', chinese)
const OTHER = `0x${'ab'.repeat(20)}`

it.each([
  ['It can take all of this token from the account', '该请求可以从该账户取走此代币的全部'],
  ['It lets someone take all LAX from the account', '该请求允许某人从该账户取走全部 LAX'],
  [`It can take all of this token from ${OTHER}`, `该请求可以从 ${OTHER} 取走此代币的全部`],
])('%s', (text, said) => {
  expect(recognized(t, text)).toBe(said)
})

it('leaves the spaces of words that others wrote', () => {
  expect(recognized(t, 'In the words of 转账 一百')).toBe('引自 转账 一百')
})
