// `bigInt` for tracer scripts, as source text for their interpreter: integers of any size on BigInt, with the names of
// the big-integer library, see https://github.com/peterolson/BigInteger.js (its README lists them).

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
  for (var small = -999; small < 1000; small++) bigInt[small] = make(BigInt(small))
  bigInt.zero = bigInt[0]
  bigInt.one = bigInt[1]
  bigInt.minusOne = bigInt[-1]
  return bigInt
})()`
