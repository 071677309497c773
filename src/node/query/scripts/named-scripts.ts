// prlx's named JavaScript tracers, in our own implementation.

const EMPTY_FAULT = 'fault: function () {}'

/** Counts sequences of instructions at one depth; of three, a change of depth begins a new one and counts nothing. */
const runs = (length: number): string => `(function () {
  var counts = {}
  var last = new Array(${length - 1}).fill('')
  var depth = 0
  return {
    step: function (log) {
      var name = log.op.toString()
      var isSame = log.getDepth() === depth
      depth = log.getDepth()
      if (${length} === 3 && !isSame) { last.fill(''); return }
      if (${length} === 1 || isSame) {
        var row = last.concat(name).join('-')
        counts[row] = (counts[row] || 0) + 1
      }
      if (${length} > 1) { last.shift(); last.push(name) }
    },
    ${EMPTY_FAULT},
    result: function () { return counts },
  }
})()`

/** What each of the older tracers shares: bytes of memory, operands as numbers, addresses on the stack. */
const TOOLS = `
  function size(log, index) { return log.stack.peek(index).valueOf() }
  function bytes(log, index) { var at = size(log, index); return log.memory.slice(at, at + size(log, index + 1)) }
  function named(value) { return toAddress(value.toString(16)) }
  function quantity(value) { return '0x' + bigInt(value).toString(16) }
`

/** The call tree, made from the instructions: a call's gas is known only when it runs code. */
const CALL_TREE = `(function () {
  ${TOOLS}
  var HAS_VALUE = { CALL: true, CALLCODE: true, DELEGATECALL: false, STATICCALL: false }
  var MEMBERS = ['type', 'from', 'to', 'value', 'gas', 'gasUsed', 'input', 'output', 'error', 'time', 'calls']
  var open = [{}]
  var hasCalled = false
  function top() { return open[open.length - 1] }
  function attach(call) { (top().calls = top().calls || []).push(call) }
  function begin(log, call) {
    call.gasIn = log.getGas() - log.getCost()
    open.push(call)
    hasCalled = true
  }
  function create(log, type) {
    begin(log, {
      type: type,
      from: toHex(log.contract.getAddress()),
      input: toHex(bytes(log, 1)),
      value: quantity(log.stack.peek(0)),
    })
  }
  function call(log, type) {
    var to = named(log.stack.peek(1))
    if (isPrecompiled(to)) return
    var after = HAS_VALUE[type] ? 3 : 2
    var made = { type: type, from: toHex(log.contract.getAddress()), to: toHex(to), input: toHex(bytes(log, after)) }
    made.out = [size(log, after + 2), size(log, after + 3)]
    if (HAS_VALUE[type]) made.value = quantity(log.stack.peek(2))
    begin(log, made)
  }
  function end(log, db) {
    var made = open.pop()
    var result = log.stack.peek(0)
    var isCreation = made.out === undefined
    if (isCreation) made.gasUsed = quantity(made.gasIn - log.getGas())
    else if (made.gas !== undefined) made.gasUsed = quantity(made.gasIn + made.gas - log.getGas())
    if (result.equals(0)) {
      if (made.error === undefined) made.error = 'internal failure'
    } else if (isCreation) {
      made.to = toHex(named(result))
      made.output = toHex(db.getCode(named(result)))
    } else made.output = toHex(log.memory.slice(made.out[0], made.out[0] + made.out[1]))
    if (made.gas !== undefined) made.gas = quantity(made.gas)
    attach(made)
  }
  function fail(log) {
    if (top().error !== undefined) return
    var made = open.pop()
    made.error = log.getError()
    if (made.gas !== undefined) made.gasUsed = made.gas = quantity(made.gas)
    if (open.length > 0) attach(made)
    else open.push(made)
  }
  function ordered(call) {
    var view = {}
    MEMBERS.forEach(function (name) { if (call[name] !== undefined) view[name] = call[name] })
    if (view.calls) view.calls = view.calls.map(ordered)
    return view
  }
  return {
    step: function (log, db) {
      if (log.getError() !== undefined) return fail(log)
      var name = log.op.toString()
      if (name === 'CREATE' || name === 'CREATE2') return create(log, name)
      if (name === 'SELFDESTRUCT') {
        var own = log.contract.getAddress()
        return attach({ type: name, from: toHex(own), to: toHex(named(log.stack.peek(0))), value: quantity(db.getBalance(own)) })
      }
      if (name in HAS_VALUE) return call(log, name)
      if (hasCalled && log.getDepth() >= open.length) top().gas = log.getGas()
      hasCalled = false
      if (name === 'REVERT') top().error = 'execution reverted'
      else if (log.getDepth() === open.length - 1) end(log, db)
    },
    fault: fail,
    result: function (ctx) {
      var error = open[0].error !== undefined ? open[0].error : ctx.error
      var output = toHex(ctx.output)
      var isKept = error === undefined || (error === 'execution reverted' && output !== '0x')
      return ordered({
        type: ctx.type,
        from: toHex(ctx.from),
        to: toHex(ctx.to),
        value: quantity(ctx.value),
        gas: quantity(ctx.gas),
        gasUsed: quantity(ctx.gasUsed),
        input: toHex(ctx.input),
        output: isKept ? output : undefined,
        error: error,
        time: ctx.time,
        calls: open[0].calls,
      })
    },
  }
})()`

/** The accounts and slots that instructions read. The sender gets back the gas that was used, not all that was bought. */
const PRESTATE = `(function () {
  ${TOOLS}
  var seen = null
  function account(address, db) {
    var name = toHex(address)
    if (seen[name] === undefined) seen[name] = {
      balance: quantity(db.getBalance(address)),
      nonce: db.getNonce(address),
      code: toHex(db.getCode(address)),
      storage: {},
    }
    return seen[name]
  }
  function plus(balance, amount) { return quantity(bigInt(balance.slice(2), 16).add(amount)) }
  return {
    step: function (log, db) {
      var own = log.contract.getAddress()
      if (seen === null) { seen = {}; account(own, db) }
      switch (log.op.toString()) {
        case 'EXTCODECOPY': case 'EXTCODESIZE': case 'EXTCODEHASH': case 'BALANCE':
          account(named(log.stack.peek(0)), db)
          break
        case 'CALL': case 'CALLCODE': case 'DELEGATECALL': case 'STATICCALL':
          account(named(log.stack.peek(1)), db)
          break
        case 'CREATE':
          account(toContract(own, db.getNonce(own)), db)
          break
        case 'CREATE2':
          account(toContract2(own, log.stack.peek(3).toString(16), bytes(log, 1)), db)
          break
        case 'SLOAD': case 'SSTORE':
          var key = toWord(log.stack.peek(0).toString(16))
          var slots = seen[toHex(own)].storage
          if (slots[toHex(key)] === undefined) slots[toHex(key)] = toHex(db.getState(own, key))
      }
    },
    ${EMPTY_FAULT},
    result: function (ctx, db) {
      if (seen === null) seen = {}
      if (seen[toHex(ctx.to)] === undefined) account(ctx.to, db)
      var sender = account(ctx.from, db)
      var receiver = seen[toHex(ctx.to)]
      // Both from what they are now, as in prlx: for who pays themselves, the value is only added.
      var before = plus(receiver.balance, bigInt(ctx.value).multiply(-1))
      var bought = bigInt(ctx.value).add((ctx.gasUsed + ctx.intrinsicGas) * ctx.gasPrice)
      var paid = plus(sender.balance, bought)
      receiver.balance = before
      sender.balance = paid
      sender.nonce--
      if (ctx.type === 'CREATE') delete seen[toHex(ctx.to)]
      return seen
    },
  }
})()`

/** Counts selectors at the call instructions, also of calls that are not made in the end. */
const SELECTORS = `(function () {
  ${TOOLS}
  var FIRST = { CALL: 3, CALLCODE: 3, DELEGATECALL: 2, STATICCALL: 2 }
  var counts = {}
  function count(selector, length) {
    if (length < 4) return
    var name = toHex(selector) + '-' + (length - 4)
    counts[name] = (counts[name] || 0) + 1
  }
  return {
    step: function (log) {
      var first = FIRST[log.op.toString()]
      if (first === undefined || isPrecompiled(named(log.stack.peek(1)))) return
      var length = size(log, first + 1)
      if (length >= 4) count(log.memory.slice(size(log, first), size(log, first) + 4), length)
    },
    ${EMPTY_FAULT},
    result: function (ctx) {
      if (ctx.input.length >= 4) count(ctx.input.slice(0, 4), ctx.input.length)
      return counts
    },
  }
})()`

/** The instructions as they ran, each with what it left on the stack, calls nested. */
const DISASSEMBLY = `(function () {
  ${TOOLS}
  var open = [{ ops: [] }]
  // Ranges of opcodes that leave one word. prlx's table lacks newer ones, and names DUP and SWAP by all they touch.
  var ONE = [[1, 11], [16, 26], [32, 32], [48, 54], [56, 56], [58, 59], [64, 69], [81, 81], [84, 84], [88, 90], [96, 127], [240, 242]]
  function left(op) {
    if (op >= 128 && op < 160) return 2 + op % 16
    return ONE.some(function (range) { return op >= range[0] && op <= range[1] }) ? 1 : 0
  }
  function enter(entry, fields) {
    for (var name in fields) entry[name] = fields[name]
    entry.error = null
    entry['return'] = null
    entry.ops = []
    open.push(entry)
  }
  return {
    step: function (log) {
      var frame = open[open.length - 1]
      if (log.getError()) { frame.error = log.getError(); return }
      var depth = log.getDepth()
      if (depth !== open.length) { open = open.slice(0, depth); return }
      var entry = { op: log.op.toNumber(), depth: depth, result: [] }
      var last = frame.ops[frame.ops.length - 1]
      if (last !== undefined) for (var i = 0; i < left(last.op); i++) last.result.push(log.stack.peek(i).toString(16))
      var name = log.op.toString()
      switch (name) {
        case 'CALL': case 'CALLCODE':
          enter(entry, {
            gas: size(log, 0),
            to: log.stack.peek(1).toString(16),
            value: log.stack.peek(2).toString(),
            input: bytes(log, 3),
          })
          break
        case 'DELEGATECALL': case 'STATICCALL':
          enter(entry, { op: name, gas: size(log, 0), to: log.stack.peek(1).toString(16), input: bytes(log, 2) })
          break
        case 'RETURN': case 'REVERT':
          frame['return'] = bytes(log, 0)
          break
        case 'STOP': case 'SELFDESTRUCT':
          frame['return'] = log.memory.slice(0, 0)
          break
        case 'JUMPDEST':
          entry.pc = log.getPC()
      }
      if (log.op.isPush()) entry.len = log.op.toNumber() - 0x5e
      frame.ops.push(entry)
    },
    ${EMPTY_FAULT},
    result: function () { return open[0].ops },
  }
})()`

/** By name; each is an expression, like a caller's own script. */
export const NAMED_SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['unigramTracer', runs(1)],
  ['bigramTracer', runs(2)],
  ['trigramTracer', runs(3)],
  [
    'opcountTracer',
    `(function () { var n = 0; return { step: function () { n++ }, ${EMPTY_FAULT}, result: function () { return n } } })()`,
  ],
  ['callTracerLegacy', CALL_TREE],
  ['prestateTracerLegacy', PRESTATE],
  ['4byteTracerLegacy', SELECTORS],
  ['noopTracerLegacy', `({ ${EMPTY_FAULT}, step: function () {}, result: function () { return {} } })`],
  ['pvmdisTracer', DISASSEMBLY],
])
