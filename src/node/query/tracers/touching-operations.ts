// Operations that access other accounts, by the operand that names them.

/** On top of the stack. */
export const ACCOUNT_OPS: ReadonlySet<string> = new Set([
  'EXTCODECOPY',
  'EXTCODEHASH',
  'EXTCODESIZE',
  'BALANCE',
  'SELFDESTRUCT',
])
/** Second on the stack. */
export const CALL_OPS: ReadonlySet<string> = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])
