// Names of the 256 byte values as traces show them. Source: go-ethereum 1.10.18 core/vm/opcodes.go

const RUNS: readonly (readonly [number, string])[] = [
  [0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'],
  [0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR'],
  [0x20, 'KECCAK256'],
  [0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY GASPRICE'],
  [0x3b, 'EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH'],
  // Those that these rules lack keep the names that prlx knows.
  [0x40, 'BLOCKHASH COINBASE TIMESTAMP NUMBER DIFFICULTY GASLIMIT CHAINID SELFBALANCE BASEFEE'],
  [0x50, 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST'],
  [0x5f, ['PUSH0', ...numbered('PUSH', 32), ...numbered('DUP', 16), ...numbered('SWAP', 16)].join(' ')],
  [0xa0, 'LOG0 LOG1 LOG2 LOG3 LOG4'],
  [0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'],
  [0xfa, 'STATICCALL'],
  [0xfd, 'REVERT INVALID SELFDESTRUCT'],
]

/** Index = byte value. */
export const OPERATION_NAMES: readonly string[] = Array.from({ length: 256 }, (_, op) => {
  const run = RUNS.filter(([first]) => first <= op).at(-1)
  return run?.[1].split(' ')[op - run[0]] ?? `opcode 0x${op.toString(16)} not defined`
})

function numbered(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index + 1}`)
}
