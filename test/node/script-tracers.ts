// JavaScript tracers for tests: common kinds, and one that uses everything.

/** Calls of each selector with the length of the data after it. */
const FOUR_BYTE = `{
  ids: {},
  count: function (input) {
    if (input.length < 4) return
    var key = toHex(slice(input, 0, 4)) + '-' + (input.length - 4)
    this.ids[key] = (this.ids[key] || 0) + 1
  },
  step: function (log) {
    var at = { CALL: 3, CALLCODE: 3, DELEGATECALL: 2, STATICCALL: 2 }[log.op.toString()]
    if (at === undefined || log.getError() !== undefined) return
    if (isPrecompiled(toAddress(log.stack.peek(1).toString(16)))) return
    var from = log.stack.peek(at).valueOf()
    var size = log.stack.peek(at + 1).valueOf()
    if (size < 4 || from + size > log.memory.length()) return
    this.count(log.memory.slice(from, from + size))
  },
  fault: function () {},
  result: function (ctx) { this.count(ctx.input); return this.ids },
}`

/** The tree of calls, from enter and exit. */
const CALLS = `{
  open: [{ calls: [] }],
  enter: function (frame) {
    var call = { type: frame.getType(), from: toHex(frame.getFrom()), to: toHex(frame.getTo()), input: toHex(frame.getInput()) }
    call.gas = frame.getGas()
    var value = frame.getValue()
    if (value !== undefined) call.value = '0x' + value.toString(16)
    call.calls = []
    this.open.push(call)
  },
  exit: function (result) {
    var call = this.open.pop()
    call.gasUsed = result.getGasUsed()
    call.output = toHex(result.getOutput())
    call.error = result.getError()
    this.open[this.open.length - 1].calls.push(call)
  },
  fault: function () {},
  result: function (ctx) {
    return {
      type: ctx.type, from: toHex(ctx.from), to: toHex(ctx.to), value: '0x' + ctx.value.toString(16), gas: ctx.gas,
      gasUsed: ctx.gasUsed, intrinsic: ctx.intrinsicGas, input: toHex(ctx.input), output: toHex(ctx.output), error: ctx.error,
      block: ctx.block, index: ctx.txIndex, tx: toHex(ctx.txHash), hash: toHex(ctx.blockHash), price: Number(ctx.gasPrice),
      calls: this.open[0].calls,
    }
  },
}`

/** Accounts and slots as they were, from db. */
const PRESTATE = `{
  seen: null,
  look: function (address, db) {
    var name = toHex(address)
    if (this.seen[name] !== undefined) return
    this.seen[name] = {
      balance: '0x' + db.getBalance(address).toString(16), nonce: db.getNonce(address), code: toHex(db.getCode(address)),
      exists: db.exists(address), storage: {},
    }
  },
  slot: function (address, key, db) {
    this.look(address, db)
    var storage = this.seen[toHex(address)].storage
    if (storage[toHex(key)] === undefined) storage[toHex(key)] = toHex(db.getState(address, key))
  },
  step: function (log, db) {
    if (this.seen === null) { this.seen = {}; this.look(log.contract.getAddress(), db) }
    if (log.getError() !== undefined) return
    var address = log.contract.getAddress()
    switch (log.op.toString()) {
      case 'EXTCODECOPY': case 'EXTCODESIZE': case 'EXTCODEHASH': case 'BALANCE': case 'SELFDESTRUCT':
        this.look(toAddress(log.stack.peek(0).toString(16)), db)
        break
      case 'CREATE':
        this.look(toContract(address, db.getNonce(address)), db)
        break
      case 'CREATE2':
        var at = log.stack.peek(1).valueOf()
        var end = at + log.stack.peek(2).valueOf()
        if (end <= log.memory.length())
          this.look(toContract2(address, log.stack.peek(3).toString(16), log.memory.slice(at, end)), db)
        break
      case 'CALL': case 'CALLCODE': case 'DELEGATECALL': case 'STATICCALL':
        this.look(toAddress(log.stack.peek(1).toString(16)), db)
        break
      case 'SLOAD': case 'SSTORE':
        this.slot(address, toWord(log.stack.peek(0).toString(16)), db)
    }
  },
  fault: function () {},
  result: function () { return this.seen },
}`

/** What each instruction leaves on the stack, by depth. */
const RESULTS = `{
  rows: [],
  fault: function (log) { this.rows.push({ fault: log.getError(), pc: log.getPC(), depth: log.getDepth(), height: log.stack.length() }) },
  step: function (log) {
    if (this.rows.length >= 1500) return
    var row = { op: log.op.toNumber(), name: log.op.toString(), depth: log.getDepth(), error: log.getError() }
    if (log.op.isPush()) row.length = log.op.toNumber() - 0x5f
    if (log.stack.length() > 0) row.top = log.stack.peek(0).toString(16)
    this.rows.push(row)
  },
  result: function () { return this.rows },
}`

/** Everything that a step exposes. */
const ALL = `{
  rows: [],
  note: function (log, db, what) {
    if (this.rows.length >= 250) return
    var row = [what, log.getPC(), log.op.toString(), log.op.isPush(), log.getGas(), log.getCost(), log.getDepth(), log.getError()]
    for (var i = 0; i < log.stack.length(); i++) row.push(log.stack.peek(i).toString())
    var size = log.memory.length()
    row.push(size, toHex(log.memory.slice(0, size)))
    if (size >= 32) row.push(log.memory.getUint(0).toString(16))
    var contract = log.contract
    row.push(toHex(contract.getCaller()), toHex(contract.getAddress()), contract.getValue().toString(), toHex(contract.getInput()))
    var own = contract.getAddress()
    row.push(db.getBalance(own).toString(), db.getNonce(own), db.getCode(own).length, db.exists(own), db.exists(toAddress('0x77')))
    row.push(toHex(db.getState(own, toWord('0x0'))))
    this.rows.push(row)
  },
  step: function (log, db) { this.note(log, db, 'step') },
  fault: function (log, db) { this.note(log, db, 'fault') },
  result: function () { return this.rows },
}`

const NOOP = '{ step: function () {}, fault: function () {}, result: function () { return {} } }'

/** bigInt, converters and how values appear in the answer. */
const VALUES = `{
  fault: function () {},
  result: function (ctx) {
    var a = bigInt('123456789012345678901234567890')
    var b = bigInt('-ff', 16)
    return [
      a.add(b), a.minus(7).toString(), a.times(b).toString(16), a.divide(b).toString(), a.mod(1000).toJSNumber(), b.mod(7).toString(),
      b.abs().toString(2), a.pow(3).toString(), a.shiftLeft(9).toString(36), b.shiftRight(3).toString(), a.and(b).toString(),
      a.or(b).toString(), a.xor(b).toString(), a.not().toString(), a.compare(b), a.equals(a), a.gt(b), a.leq(b), b.isNegative(),
      bigInt.zero.isZero(), bigInt(0).eq(bigInt.zero), bigInt.max(a, b).toString(), bigInt.gcd(84, 36).toString(),
      bigInt.lcm(4, 6).toString(), bigInt(3).modPow(200, 13).toString(), bigInt(3).modInv(11).toString(),
      a.divmod(97).remainder.toString(), bigInt(1e21).toString(), bigInt('1.5e3').toString(),
      toHex(toWord('0x123')), toHex(toAddress('abcdef')), toHex(slice([1, 2, 3, 4], 1, 3)), isPrecompiled(toAddress('0x09')),
      isPrecompiled(toAddress('0x0a')), toHex(toContract(ctx.from, 5)), toHex(toContract2(ctx.from, '0x1', '0x6001')),
      ctx.value, ctx.from, toWord('0x1'), undefined, null, 'a<b', 1.5, { x: ctx.gas },
    ]
  },
}`

/** By kind. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  fourByte: FOUR_BYTE,
  calls: CALLS,
  prestate: PRESTATE,
  results: RESULTS,
  all: ALL,
  noop: NOOP,
  values: VALUES,
}
