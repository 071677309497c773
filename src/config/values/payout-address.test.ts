import { expect, it } from 'vitest'
import { checkPayee, checksumFault, isPlaceholder, payoutFault } from './payout-address'

const GOOD = '0x52908400098527886E0F7030069857D2E4169EE7'

it.each([
  [GOOD.slice(0, -1), '39 digits after 0x'],
  [`${GOOD}1`, '41 digits after 0x'],
  ['0x', '0 digits after 0x'],
  [GOOD.replace('5', 'O'), 'contains "O"'],
  [GOOD.replace('x', 'X'), 'begins with 0x'],
  [`0x${'0'.repeat(40)}`, 'nobody owns'],
  [`0x${'0'.repeat(39)}9`, 'nobody owns'],
  ['0x000000000000000000000000000000000000dEaD', 'nobody owns'],
])('nobody can be paid at %s', (address, reason) => {
  expect(payoutFault(address)).toContain(reason)
})

it('checks capitals only where there are both kinds of letters', () => {
  expect(checksumFault(GOOD)).toBeNull()
  expect(checksumFault('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBeNull()
  expect(checksumFault('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toBeNull()
  expect(checksumFault('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed')).toContain('checksum')
})

it.each([
  ...['<WALLET>', 'WALLET', 'wallet_address', 'YOUR_ADDRESS', 'YOUR_WALLET_ADDRESS', 'your-username', '0xADDRESS'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template that nobody filled in
  ...['0xYOUR_ADDRESS', 'ETH_WALLET', 'MyWalletAddress', '%WAL%', '%EWAL%', '${WALLET}', '$WALLET', '{{wallet}}'],
  ...['ENTER YOUR WALLET HERE', 'Your Lax Address', 'PAYOUT_ADDRESS'],
])('%s stands for an address', (text) => {
  expect(isPlaceholder(text)).toBe(true)
})

it.each(['me', 'user', 'wallace', 'addressbook', 'x', 'account.1', 'walter', 'yourmom', 'mining', 'lax', 'u', GOOD])(
  '%s may be a name',
  (text) => {
    expect(isPlaceholder(text)).toBe(false)
  },
)

it.each([
  [GOOD.slice(0, -1), '39 digits'],
  [`${GOOD.slice(0, -1)}/rig`, '39 digits'],
  [`solo:${GOOD}1`, '41 digits'],
  ['WALLET/rig1/me@mail.example', 'stands for'],
])('finds the address in the login %s', (user, reason) => {
  expect(checkPayee(user, '').fault).toContain(reason)
})

it('accepts what pools put around an address, and names what is unusual', () => {
  for (const user of [`${GOOD}+5000`, `${GOOD}_rig`, `solo:${GOOD}`, `${GOOD}/rig/me@mail.example`, `${GOOD}=1`])
    expect(checkPayee(user, 'rig')).toEqual({ fault: null, warnings: [] })
  expect(checkPayee(GOOD.slice(2), '').warnings).toEqual([expect.stringContaining('without its 0x')])
  expect(checkPayee(GOOD.replace('E7', 'e7'), '').warnings).toEqual([expect.stringContaining('checksum')])
  expect(checkPayee('me', '<RIG>').fault).toContain('<RIG>')
})
