import { describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../../../src/base/hex'
import { keccak256 } from '../../../../src/node/codec/keccak'
import { EMPTY_CODE_HASH } from '../../../../src/node/execution/account'
import type { StateReader } from '../../../../src/node/execution/state-reader'
import { EMPTY_TRIE_ROOT } from '../../../../src/node/trie/trie'
import { createPrecompiles } from '../precompiles/precompiles'
import { CodeCache } from './code'
import { Machine, type MachineOptions } from './machine'
import { createOperations } from './operations'
import { type Applied, applyMessage, type Message, runMessage } from './transition'
import { World } from './world'

const HERE = 0xc0den
const CALLER = 0xca11n

const emptyState: StateReader = {
  account: () => null,
  slot: () => new Uint8Array(0),
  code: () => new Uint8Array(0),
}

const block: MachineOptions['block'] = {
  number: 7n,
  timestamp: 1_000n,
  coinbase: 0xcbn,
  difficulty: 5n,
  gasLimit: 30_000_000n,
  chainId: 3110n,
  ancestorHash: () => null,
}
const parts = { operations: createOperations(), precompiles: createPrecompiles(), keccak256 }

function machineOn(world: World, isOver: () => boolean, changes: Partial<MachineOptions> = {}): Machine {
  return new Machine({ ...parts, block, world, isOver, tracer: null, origin: CALLER, gasPrice: 0n, ...changes })
}

describe('the interpreter', () => {
  const world = () => new World({ base: emptyState, codes: new CodeCache(), keccak256 })

  const run = (code: string, changes: Partial<Message> = {}, on = world(), isOver = () => false): Applied =>
    runBy({}, { code, changes, on, isOver })

  interface Run {
    readonly code: string
    readonly changes: Partial<Message>
    readonly on: World
    readonly isOver: () => boolean
  }

  function runBy(by: Partial<MachineOptions>, { code, changes, on, isOver }: Run): Applied {
    on.setCode(HERE, bytesOfHex(code))
    const message: Message = {
      from: CALLER,
      to: HERE,
      gas: 1_000_000,
      gasPrice: 0n,
      value: 0n,
      data: new Uint8Array(0),
      accessList: [],
      ...changes,
    }
    return applyMessage(machineOn(on, isOver, by), message)
  }

  const outcome = (applied: Applied) => {
    if (applied.kind === 'refused') return applied.reason
    const { error, output, gasUsed } = applied.result
    return { error, output: toHex(output), gasUsed }
  }
  /** Runs `code`, then returns the top of the stack. */
  const top = (code: string) => {
    const applied = run(`${code}60005260206000f3`)
    return applied.kind === 'done' ? BigInt(toHex(applied.result.output)) : null
  }

  it.each([
    ['wraps a sum at 256 bits', '600160001901', 0n],
    ['divides by zero to zero', '6000600504', 0n],
    ['divides signed numbers towards zero', '6002600360000305', 2n ** 256n - 1n],
    ['keeps the sign of a signed remainder', '6002600360000307', 2n ** 256n - 1n],
    ['extends the sign of a byte', '60ff60000b', 2n ** 256n - 1n],
    ['shifts a negative number by more than the width to its sign', '6000196101001d', 2n ** 256n - 1n],
    ['takes a byte counted from the high end', '61abcd601e1a', 0xabn],
    ['raises to a power modulo 2^256', '61010060020a', 0n],
  ] as const)('%s', (_name, code, expected) => {
    expect(top(code)).toBe(expected)
  })

  it('ends in the middle of a built-in contract, together with all its callers', () => {
    let looks = 0
    // Calls precompile 9 for 8388608 rounds, then loops forever.
    const code = '6280000060e01b6000526040600060d5600060095afa5b601656'

    const applied = run(code, { gas: 10_000_000 }, world(), () => ++looks > 1)

    expect(outcome(applied)).toMatchObject({ error: 'aborted' })
    expect(looks).toBeLessThan(4)
  })

  it('looks whether it is over before an instruction that takes long', () => {
    let hashed = 0
    const counting = (data: Uint8Array): Uint8Array => {
      if (data.length === 2 ** 20) hashed++
      return keccak256(data)
    }
    const hash = (isOver: () => boolean) =>
      runBy({ keccak256: counting }, { code: '62100000600020', changes: { gas: 10_000_000 }, on: world(), isOver })

    const ended = hash(() => true)

    expect(outcome(ended)).toMatchObject({ error: 'aborted' })
    expect(hashed).toBe(0)
    hash(() => false)
    expect(hashed).toBe(1)
  })

  it('counts the gas of built-in contracts as work', () => {
    let looks = 0
    const look = (): boolean => ++looks < 0
    // Of 100,000 bytes: 37,560 gas for SHA-256, 9,390 for identity, and 28,500 for the memory.
    const pass = (to: string) => `60006000620186a06000${to}5afa505b`

    run(pass('6004'), {}, world(), look)
    expect(looks).toBe(0)
    run(pass('6002'), {}, world(), look)
    expect(looks).toBe(1)
  })

  it('counts creations as work', () => {
    let looks = 0
    const look = (): boolean => ++looks < 0
    const create = '602060006000f050'

    run(create.repeat(3), {}, world(), look)
    expect(looks).toBe(0)
    run(create.repeat(6), {}, world(), look)
    expect(looks).toBe(1)
  })

  it('reads zeros past the end of the program in a PUSH', () => {
    expect(outcome(run('61ff'))).toMatchObject({ error: null })
  })

  it('jumps to a JUMPDEST, but not to one in the data of a PUSH', () => {
    expect(outcome(run('6003565b00'))).toMatchObject({ error: null })
    expect(outcome(run('600456615b0000'))).toMatchObject({ error: 'invalid jump destination' })
  })

  it('consumes all gas of a failed call, with the reason', () => {
    expect(outcome(run('fe'))).toEqual({ error: 'invalid opcode: INVALID', output: '0x', gasUsed: 1_000_000 })
    expect(outcome(run('01'))).toMatchObject({ error: 'stack underflow (0 <=> 2)' })
    expect(outcome(run('5b600056'))).toMatchObject({ error: 'out of gas', gasUsed: 1_000_000 })
    expect(outcome(run('60001951'))).toMatchObject({ error: 'gas uint64 overflow' })
  })

  it('returns the gas of a revert, with its data', () => {
    const done = outcome(run('60aa60005260206000fd'))

    expect(done).toMatchObject({ error: 'execution reverted', output: `0x${'0'.repeat(62)}aa` })
    expect((done as { gasUsed: number }).gasUsed).toBeLessThan(22_000)
  })

  it('counts at most half of the gas as refund', () => {
    const on = world()
    on.setCode(HERE, bytesOfHex('00'))
    on.replaceSlot(HERE, 0n, 5n)

    const applied = run('6000600055', {}, on)

    expect(applied).toMatchObject({ kind: 'done', result: { error: null, gasUsed: 13_003 } })
  })

  it('rejects writing in a static call, whose failure the caller survives', () => {
    const on = world()
    on.setCode(0xbbn, bytesOfHex('6001600055'))
    const applied = run('600060006000600060bb5afa60005260206000f3', {}, on)

    expect(outcome(applied)).toMatchObject({ error: null, output: `0x${'0'.repeat(64)}` })
    expect(on.slot(0xbbn, 0n)).toBe(0n)
  })

  it('undoes what a failed call changed, and only that', () => {
    const on = world()
    on.setCode(0xbbn, bytesOfHex('6001600055fe'))

    run('60076001556000600060006000600060bb61fffff1', {}, on)

    expect(on.slot(0xbbn, 0n)).toBe(0n)
    expect(on.slot(HERE, 1n)).toBe(7n)
  })

  it("ends calls into itself at the depth limit or out of gas, without overflowing the thread's stack", () => {
    const applied = run('60006000600060006000305af1', { gas: 600_000_000 })

    expect(outcome(applied)).toMatchObject({ error: null })
  })

  it('is ended from outside within some thousand steps', () => {
    let looks = 0

    run('5b600056', { gas: 500_000_000 }, world(), () => ++looks > 3)

    expect(looks).toBe(4)
  })

  it('counts gas exactly beyond 2^53: what is passed on, requested and returned', () => {
    const on = world()
    on.setBalance(CALLER, 2n ** 100n)
    on.setCode(0xbbn, bytesOfHex('5a60005260206000f3')) // GAS, returned
    on.setCode(HERE, bytesOfHex('60206000600060006000'.concat('60bb', '5a', 'f1', '5a', '60205260406000f3')))
    const gas = 2n ** 62n + 12_345n
    const message = { from: CALLER, to: HERE, gasPrice: 0n, value: 0n, data: new Uint8Array(0), accessList: [] }
    const machine = machineOn(on, () => false)

    const result = runMessage(machine, { ...message, gas }, 21_000n)

    const atCall = gas - 21_000n - 18n - 2n - 2_603n // six PUSH, GAS, a cold CALL with a word of memory
    const given = atCall - atCall / 64n
    const inside = given - 2n
    expect(BigInt(toHex(result.output.subarray(0, 32)))).toBe(inside)
    const after = atCall - (2n + 3n + 3n + 3n + 3n + 3n) - 2n
    expect(BigInt(toHex(result.output.subarray(32)))).toBe(after)
  })

  it('rejects a call that costs more than its sender has, naming both', () => {
    expect(outcome(run('00', { value: 5n }))).toMatch(
      /^insufficient funds for gas \* price \+ value: address 0x.* have 0 want 5$/,
    )
    expect(outcome(run('00', { gas: 20_999 }))).toBe('intrinsic gas too low: have 20999, want 21000')
  })
})

describe("the interpreter's world", () => {
  it('reverts to a snapshot in everything it holds', () => {
    const world = new World({ base: emptyState, codes: new CodeCache(), keccak256 })
    world.setBalance(1n, 5n)
    world.setSlot(1n, 2n, 3n)
    const snapshot = world.snapshot()
    world.setBalance(1n, 9n)
    world.setNonce(1n, 1n)
    world.wipeStorage(1n)
    world.setSlot(1n, 2n, 4n)
    world.setCode(1n, Uint8Array.of(1))
    world.addRefund(7)
    world.destruct(1n)
    expect(world.warmSlot(1n, 2n)).toBe(false)

    world.revert(snapshot)

    expect(world.account(1n)).toMatchObject({ balance: 5n, nonce: 0n, destructed: false })
    expect(world.account(1n).code.bytes).toHaveLength(0)
    expect(world.slot(1n, 2n)).toBe(3n)
    expect(world.refund).toBe(0)
    expect(world.warmSlot(1n, 2n)).toBe(false)
  })

  it('deletes destructed accounts, and touched empty ones, at the end of a transaction', () => {
    const world = new World({ base: emptyState, codes: new CodeCache(), keccak256 })
    world.setBalance(1n, 5n)
    world.destruct(1n)
    world.addBalance(2n, 0n)
    world.setBalance(3n, 1n)

    world.finish()

    expect([1n, 2n, 3n].map((address) => world.account(address).exists)).toEqual([false, false, true])
  })

  it('ends an empty contract 3 that a failed call has touched, and no other one', () => {
    const empty = { nonce: 0n, balance: 0n, storageRoot: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH }
    const world = new World({ base: { ...emptyState, account: () => empty }, codes: new CodeCache(), keccak256 })
    const before = world.snapshot()
    world.addBalance(3n, 0n)
    world.addBalance(4n, 0n)
    world.revert(before)

    world.finish()

    expect([3n, 4n].map((address) => world.account(address).exists)).toEqual([false, true])
  })

  it('keeps one journal entry for all changes of a slot and of an account since the last snapshot', () => {
    const world = new World({ base: emptyState, codes: new CodeCache(), keccak256 })
    world.setBalance(1n, 1n)
    world.setSlot(1n, 1n, 1n)
    const first = world.snapshot()
    for (let value = 2n; value < 100n; value++) {
      world.setBalance(1n, value)
      world.setSlot(1n, 1n, value)
    }
    const second = world.snapshot()
    expect(second - first).toBe(2)
    world.setSlot(1n, 1n, 7n)
    world.setBalance(1n, 7n)
    world.revert(second)
    expect([world.slot(1n, 1n), world.account(1n).balance]).toEqual([99n, 99n])
    world.setSlot(1n, 1n, 8n)
    world.revert(first)
    expect([world.slot(1n, 1n), world.account(1n).balance]).toEqual([1n, 1n])
    world.setSlot(1n, 1n, 9n)
    world.revert(first)
    expect(world.slot(1n, 1n)).toBe(1n)
  })

  it("takes a transaction's result as the next one's original value", () => {
    const world = new World({ base: emptyState, codes: new CodeCache(), keccak256 })
    world.setBalance(1n, 1n)
    world.setSlot(1n, 0n, 8n)
    expect(world.originalSlot(1n, 0n)).toBe(0n)

    world.finish()

    expect(world.originalSlot(1n, 0n)).toBe(8n)
  })
})
