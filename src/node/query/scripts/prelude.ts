// The environment of a tracer script, as source text: the objects and functions available to prlx's tracers,
// on top of one host function. Source: prlx prl/tracers/js/goja.go (names and answers).

/** An expression: the function `bigInt`. */
export const BIG_INT_SOURCE = String.raw`
(function () {
  'use strict'
  function fault(value) { throw new Error('Invalid integer: ' + String(value).slice(0, 80)) }
  function make(value) {
    var number = Object.create(Whole.prototype)
    number.value = value
    return number
  }
  function digitsOf(text, base) {
    var negative = text.charAt(0) === '-'
    var digits = negative ? text.slice(1) : text
    var prefix = { 2: '0b', 8: '0o', 16: '0x' }[base]
    if (digits === '') fault(text)
    var value = 0n
    if (prefix !== undefined && !/[^0-9a-fA-F]/.test(digits)) {
      try { value = BigInt(prefix + digits) } catch (_) { fault(text) }
    } else {
      for (var i = 0; i < digits.length; i++) {
        var digit = parseInt(digits.charAt(i), 36)
        if (!(digit < base)) fault(text)
        value = value * BigInt(base) + BigInt(digit)
      }
    }
    return negative ? -value : value
  }
  function fromText(text) {
    if (/^[+-]?\d+$/.test(text)) return BigInt(text.charAt(0) === '+' ? text.slice(1) : text)
    var match = /^([+-]?)(\d+)(?:\.(\d+))?e\+?(\d{1,4})$/i.exec(text)
    if (match === null) fault(text)
    var places = match[3] || ''
    var zeros = Number(match[4]) - places.length
    if (zeros < 0) fault(text)
    var value = BigInt(match[2] + places) * 10n ** BigInt(zeros)
    return match[1] === '-' ? -value : value
  }
  function parse(value) {
    if (value instanceof Whole) return value.value
    if (typeof value === 'bigint') return value
    if (typeof value === 'number') {
      if (Number.isSafeInteger(value)) return BigInt(value)
      if (!Number.isFinite(value) || value !== Math.trunc(value)) throw new Error(value + ' is not an integer.')
      return fromText(String(value))
    }
    return fromText(String(value))
  }
  function bigInt(value, base) {
    if (value === undefined) return bigInt.zero
    if (base === undefined || Number(base) === 10) return value instanceof Whole ? value : make(parse(value))
    return make(digitsOf(String(value).toLowerCase(), Number(base)))
  }
  function Whole() {}
  function absolute(value) { return value < 0n ? -value : value }
  function order(one, other) { return one < other ? -1 : one > other ? 1 : 0 }
  function gcd(one, other) {
    one = absolute(one)
    other = absolute(other)
    while (other !== 0n) { var rest = one % other; one = other; other = rest }
    return one
  }
  function nonZero(value) {
    if (value === 0n) throw new Error('Cannot divide by zero')
    return value
  }
  function modPow(base, exponent, modulus) {
    if (nonZero(modulus) < 0n || exponent < 0n) throw new Error('Cannot take modPow with a negative number')
    var result = 1n % modulus
    for (base %= modulus; exponent > 0n; exponent >>= 1n) {
      if (exponent & 1n) result = (result * base) % modulus
      base = (base * base) % modulus
    }
    return result
  }
  function modInv(value, modulus) {
    var r = [nonZero(modulus), value]
    var t = [0n, 1n]
    while (r[1] !== 0n) {
      var quotient = r[0] / r[1]
      r = [r[1], r[0] - quotient * r[1]]
      t = [t[1], t[0] - quotient * t[1]]
    }
    if (absolute(r[0]) !== 1n) throw new Error(value + ' and ' + modulus + ' are not co-prime')
    var inverse = r[0] < 0n ? -t[0] : t[0]
    return inverse < 0n && modulus > 0n ? inverse + modulus : inverse
  }
  function bitLength(value) {
    if (value < 0n) value = -value - 1n
    return value === 0n ? 0 : value.toString(2).length
  }
  function define(names, run) {
    names.split(' ').forEach(function (name) {
      Object.defineProperty(Whole.prototype, name, { value: run, writable: true, configurable: true })
    })
  }
  function number(names, run) { define(names, function (other) { return make(run(this.value, other === undefined ? 0n : parse(other))) }) }
  function test(names, run) { define(names, function (other) { return run(order(this.value, parse(other))) }) }
  number('add plus', function (a, b) { return a + b })
  number('subtract minus', function (a, b) { return a - b })
  number('multiply times', function (a, b) { return a * b })
  number('divide over', function (a, b) { return a / nonZero(b) })
  number('mod remainder', function (a, b) { return a % nonZero(b) })
  number('pow', function (a, b) { return a ** b })
  number('and', function (a, b) { return a & b })
  number('or', function (a, b) { return a | b })
  number('xor', function (a, b) { return a ^ b })
  number('shiftLeft', function (a, b) { return a << b })
  number('shiftRight', function (a, b) { return a >> b })
  number('not', function (a) { return ~a })
  number('abs', absolute)
  number('negate', function (a) { return -a })
  number('square', function (a) { return a * a })
  number('next', function (a) { return a + 1n })
  number('prev', function (a) { return a - 1n })
  number('modInv', modInv)
  define('modPow', function (exponent, modulus) { return make(modPow(this.value, parse(exponent), parse(modulus))) })
  define('divmod', function (other) {
    var by = nonZero(parse(other))
    return { quotient: make(this.value / by), remainder: make(this.value % by) }
  })
  test('compare compareTo', function (o) { return o })
  test('equals eq', function (o) { return o === 0 })
  test('notEquals neq', function (o) { return o !== 0 })
  test('greater gt', function (o) { return o > 0 })
  test('lesser lt', function (o) { return o < 0 })
  test('greaterOrEquals geq', function (o) { return o >= 0 })
  test('lesserOrEquals leq', function (o) { return o <= 0 })
  define('compareAbs', function (other) { return order(absolute(this.value), absolute(parse(other))) })
  define('isEven', function () { return (this.value & 1n) === 0n })
  define('isOdd', function () { return (this.value & 1n) === 1n })
  define('isPositive', function () { return this.value > 0n })
  define('isNegative', function () { return this.value < 0n })
  define('isUnit', function () { return absolute(this.value) === 1n })
  define('isZero', function () { return this.value === 0n })
  define('isDivisibleBy', function (other) { var by = parse(other); return by !== 0n && this.value % by === 0n })
  define('bitLength', function () { return make(BigInt(bitLength(this.value))) })
  define('toString', function (base) { return this.value.toString(base === undefined ? 10 : base) })
  define('toJSON', function () { return this.value.toString() })
  define('toJSNumber valueOf', function () { return Number(this.value) })
  function most(keeps) {
    return function (one, other) {
      var pair = [bigInt(one), bigInt(other)]
      return keeps(pair[0].value, pair[1].value) ? pair[0] : pair[1]
    }
  }
  bigInt.max = most(function (a, b) { return a > b })
  bigInt.min = most(function (a, b) { return a < b })
  bigInt.gcd = function (one, other) { return make(gcd(parse(one), parse(other))) }
  bigInt.lcm = function (one, other) {
    var pair = [absolute(parse(one)), absolute(parse(other))]
    return make((pair[0] / nonZero(gcd(pair[0], pair[1]))) * pair[1])
  }
  bigInt.isInstance = function (value) { return value instanceof Whole }
  bigInt.fromArray = function (digits, base, negative) {
    var by = base === undefined ? 10n : parse(base)
    var value = 0n
    for (var i = 0; i < digits.length; i++) value = value * by + parse(digits[i])
    return make(negative ? -value : value)
  }
  // bigInt[-999] to bigInt[999] are made when they are read: making all took longer than most scripts.
  Object.setPrototypeOf(bigInt, new Proxy(Function.prototype, {
    get: function (functions, name) {
      var isSmall = typeof name === 'string' && /^(0|-?[1-9]\d{0,2})$/.test(name)
      return isSmall ? (bigInt[name] = make(BigInt(name))) : functions[name]
    },
  }))
  bigInt.zero = bigInt[0]
  bigInt.one = bigInt[1]
  bigInt.minusOne = bigInt[-1]
  return bigInt
})()`

/**
 * An expression: a function of the host function, whose result has the functions that the host calls. It asks for
 * `bigInt` when a script first uses numbers: making it takes longer than many scripts. A question is one text, with its
 * arguments, which the host reads faster than several. A step is passed as few numbers, since passing each takes longer
 * than what a script does with it: `place` is the opcode, plus 2^8 with an error, plus 2^9 times the depth, plus 2^20
 * times the stack height; `spot` is the memory size in words, plus 2^26 times the program counter.
 */
export const PRELUDE_SOURCE = `
(function (host) {
  'use strict'
  var toJson = JSON.stringify
  var toWhole = BigInt
  var place = 0
  var spot = 0
  var gas = 0
  var cost = 0
  var refund = 0
  var bigInt = null
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
  function numberOf(text) { return numbers()(toWhole(text)) }
  function numbers() { return bigInt || (bigInt = host('bigInt')) }
  function later(object, name, make) {
    var shown = { enumerable: true, configurable: true }
    function put(value) { Object.defineProperty(object, name, { value: value, writable: true, ...shown }); return value }
    Object.defineProperty(object, name, { get: function () { return put(make()) }, set: put, ...shown })
  }
  function whole(value) { value = Number(value); return value !== value ? 0 : Math.trunc(value) }
  function list(bytes) { return Array.from(bytes) }
  function buffer(question) { return new Uint8Array(host(question)) }

  function op() { return place % 256 }
  function height() { return Math.floor(place / 1048576) }
  function size() { return 32 * (spot % 67108864) }

  // Memory that the operation is about to expand reads as zeros, as it will.
  function padded(begin, end) {
    if (end <= size()) return buffer('memory ' + begin + ' ' + end)
    if (end - size() > MAX_PADDING) throw new Error('Tracer accessed out of bound memory: ' + (end - size()) + ' bytes past the end, at most ' + MAX_PADDING)
    var bytes = new Uint8Array(end - begin)
    if (begin < size()) bytes.set(buffer('memory ' + begin + ' ' + size()))
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
        return numberOf(host('peek ' + index))
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
    getBalance: function (of) { return numberOf(host('balance ' + address(of))) },
    getNonce: function (of) { return host('nonce ' + address(of)) },
    getCode: function (of) { return buffer('code ' + address(of)) },
    getState: function (of, key) { return bytesOfHex(host('state ' + address(of) + ' ' + hex(fitted(key, 32)))) },
    exists: function (of) { return host('exists ' + address(of)) },
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
  later(scope, 'bigInt', numbers)
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
    return bytesOfHex(host('keccak create ' + address(from, true) + ' ' + whole(nonce)))
  }
  scope.toContract2 = function (from, salt, code) {
    var word = hex(fitted(String(salt), 32, true))
    return bytesOfHex(host('keccak create2 ' + address(from, true) + ' ' + word + ' ' + hex(bytesOf(code, true))))
  }
  scope.isPrecompiled = function (of) { return host('isPrecompiled ' + address(of, true)) }

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
      ;['value', 'gasPrice'].forEach(function (name) { later(ctx, name, numberOf.bind(null, ctx[name])) })
      ;['from', 'to', 'blockHash', 'txHash'].forEach(function (name) { if (name in ctx) ctx[name] = list(bytesOfHex(ctx[name])) })
      ctx.input = list(buffer('contextBytes input'))
      ctx.output = list(buffer('contextBytes output'))
      var result = tracer.result(ctx, db)
      return toJson(result === undefined || result === null ? {} : result) || '{}'
    },
  }
})`
