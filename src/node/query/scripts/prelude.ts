// The environment of a tracer script, as source text: the objects and functions available to prlx's tracers,
// on top of one host function. Source: prlx prl/tracers/js/goja.go (names and answers).

/**
 * An expression: a function of the host function and of `bigInt`, whose result has the functions that the host calls. A
 * step is passed as few numbers, since passing each takes longer than what a script does with it: `place` is the
 * opcode, plus 2^8 with an error, plus 2^9 times the depth, plus 2^20 times the stack height; `spot` is the memory size
 * in words, plus 2^26 times the program counter.
 */
export const PRELUDE_SOURCE = `
(function (host, bigInt) {
  'use strict'
  var toJson = JSON.stringify
  var place = 0
  var spot = 0
  var gas = 0
  var cost = 0
  var refund = 0
  var operations = JSON.parse(host('operations'))
  function hex(bytes) {
    var out = '0x'
    for (var i = 0; i < bytes.length; i++) out += (bytes[i] < 16 ? '0' : '') + bytes[i].toString(16)
    return out
  }
  function bytesOfHex(text) {
    var digits = /^0x/i.test(text) ? text.slice(2) : text
    if (digits.length % 2 !== 0) digits = '0' + digits
    var out = new Uint8Array(/^[0-9a-fA-F]*$/.test(digits) ? digits.length / 2 : 0)
    for (var i = 0; i < out.length; i++) out[i] = parseInt(digits.substr(2 * i, 2), 16)
    return out
  }
  function bytesOf(value, mayBeText) {
    if (value instanceof Uint8Array) return value
    if (Array.isArray(value)) return Uint8Array.from(value)
    if (mayBeText && (typeof value === 'string' || value instanceof String)) return bytesOfHex(String(value))
    throw new Error('invalid buffer type')
  }
  function fitted(value, length, mayBeText) {
    var bytes = bytesOf(value, mayBeText)
    var out = new Uint8Array(length)
    var part = bytes.length > length ? bytes.subarray(bytes.length - length) : bytes
    out.set(part, length - part.length)
    return out
  }
  function address(value, mayBeText) { return hex(fitted(value, 20, mayBeText)) }
  function outside(what, available, offset, size) {
    throw new Error('Tracer accessed out of bound ' + what + ': available ' + available + ', offset ' + offset + ', size ' + size)
  }
  function numberOf(text) { return bigInt(text.slice(2), 16) }
  function whole(value) { value = Number(value); return value !== value ? 0 : Math.trunc(value) }
  function list(bytes) { return Array.from(bytes) }
  function buffer(question, a, b) { return new Uint8Array(host(question, a, b)) }

  function op() { return place % 256 }
  function height() { return Math.floor(place / 1048576) }
  function size() { return 32 * (spot % 67108864) }

  // Memory that the operation is about to expand reads as zeros, as it will.
  function padded(begin, end) {
    if (end <= size()) return buffer('memory', begin, end)
    if (end - size() > MAX_PADDING) throw new Error('Tracer accessed out of bound memory: ' + (end - size()) + ' bytes past the end, at most ' + MAX_PADDING)
    var bytes = new Uint8Array(end - begin)
    if (begin < size()) bytes.set(buffer('memory', begin, size()))
    return bytes
  }
  // Bytes past the end of memory that a tracer may read at once.
  var MAX_PADDING = 1048576

  var log = {
    op: {
      toNumber: function () { return op() },
      toString: function () { return operations[op()] },
      isPush: function () { return op() >= 0x60 && op() <= 0x7f },
    },
    stack: {
      peek: function (index) {
        index = whole(index)
        if (index < 0 || index >= height()) throw new Error('Tracer accessed out of bound stack: size ' + height() + ', index ' + index)
        return numberOf(host('peek', index))
      },
      length: function () { return height() },
    },
    memory: {
      slice: function (begin, end) {
        begin = whole(begin)
        end = whole(end)
        if (begin === end) return new Uint8Array(0)
        if (end < begin || begin < 0) throw new Error('Tracer accessed out of bound memory: offset ' + begin + ', end ' + end)
        return padded(begin, end)
      },
      getUint: function (at) {
        at = whole(at)
        if (at < 0) outside('memory', size(), at, 32)
        return numberOf(hex(padded(at, at + 32)))
      },
      length: function () { return size() },
    },
    contract: {
      getCaller: function () { return bytesOfHex(host('caller')) },
      getAddress: function () { return bytesOfHex(host('address')) },
      getValue: function () { return numberOf(host('value')) },
      getInput: function () { return buffer('input') },
    },
    getPC: function () { return Math.floor(spot / 67108864) },
    getGas: function () { return gas },
    getCost: function () { return cost },
    getDepth: function () { return Math.floor(place / 512) % 2048 },
    getRefund: function () { return refund },
    getError: function () { return place % 512 < 256 ? undefined : host('error') },
  }
  var db = {
    getBalance: function (of) { return numberOf(host('balance', address(of))) },
    getNonce: function (of) { return host('nonce', address(of)) },
    getCode: function (of) { return buffer('code', address(of)) },
    getState: function (of, key) { return bytesOfHex(host('state', address(of), hex(fitted(key, 32)))) },
    exists: function (of) { return host('exists', address(of)) },
  }
  var call = null
  var frame = {
    getType: function () { return call.type },
    getFrom: function () { return bytesOfHex(call.from) },
    getTo: function () { return bytesOfHex(call.to) },
    getInput: function () { return buffer('frameInput') },
    getGas: function () { return call.gas },
    getValue: function () { return call.value === null ? undefined : numberOf(call.value) },
  }
  var left = {
    getGasUsed: function () { return call.gasUsed },
    getOutput: function () { return buffer('frameOutput') },
    getError: function () { return call.error === null ? undefined : call.error },
  }

  var scope = globalThis
  scope.bigInt = bigInt
  scope.toHex = function (value) { return hex(bytesOf(value, false)) }
  scope.toWord = function (value) { return fitted(value, 32, true) }
  scope.toAddress = function (value) { return fitted(value, 20, true) }
  scope.slice = function (value, begin, end) {
    var bytes = bytesOf(value, false)
    begin = whole(begin)
    end = whole(end)
    if (begin < 0 || begin > end || end > bytes.length) outside('memory', bytes.length, begin, end - begin)
    return bytes.slice(begin, end)
  }
  scope.toContract = function (from, nonce) {
    return bytesOfHex(host('keccak', 'create', address(from, true), whole(nonce)))
  }
  scope.toContract2 = function (from, salt, code) {
    return bytesOfHex(host('keccak', 'create2', address(from, true), hex(fitted(String(salt), 32, true)), hex(bytesOf(code, true))))
  }
  scope.isPrecompiled = function (of) { return host('isPrecompiled', address(of, true)) }

  var tracer = null
  return {
    /** Takes the script's object. @returns which functions it has, or what it lacks */
    take: function (object, config) {
      if (object === null || object === undefined) throw new TypeError('Cannot convert undefined or null to object')
      function has(name) { return typeof object[name] === 'function' }
      if (!has('result')) throw 'trace object must expose a function result()'
      if (!has('fault')) throw 'trace object must expose a function fault()'
      if (has('enter') !== has('exit')) throw 'trace object must expose either both or none of enter() and exit()'
      tracer = object
      if (has('setup')) tracer.setup(config)
      return (has('step') ? 1 : 0) + (has('enter') ? 2 : 0)
    },
    step: function (a, b, c, d, e) { place = a; spot = b; gas = c; cost = d; refund = e; tracer.step(log, db) },
    fault: function (a, b, c, d, e) { place = a; spot = b; gas = c; cost = d; refund = e; tracer.fault(log, db) },
    enter: function () { call = JSON.parse(host('frame')); tracer.enter(frame) },
    exit: function () { call = JSON.parse(host('frame')); tracer.exit(left) },
    result: function () {
      var ctx = JSON.parse(host('context'))
      ctx.value = numberOf(ctx.value)
      ctx.gasPrice = numberOf(ctx.gasPrice)
      ;['from', 'to', 'blockHash', 'txHash'].forEach(function (name) { if (name in ctx) ctx[name] = list(bytesOfHex(ctx[name])) })
      ctx.input = list(buffer('contextBytes', 'input'))
      ctx.output = list(buffer('contextBytes', 'output'))
      var result = tracer.result(ctx, db)
      return toJson(result === undefined || result === null ? {} : result) || '{}'
    },
  }
})`
