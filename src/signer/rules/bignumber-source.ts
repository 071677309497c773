// The `BigNumber` of the family's rule scripts, as source text for the interpreter: exact decimal numbers on BigInt,
// with the method names of bignumber.js 2 and later. NaN and division by zero throw: a script that can't calculate must
// not return an answer.

export const BIGNUMBER_SOURCE = String.raw`
(function (scope) {
  'use strict'
  var PLACES = 20
  function fault(value) { throw new Error('BigNumber: ' + String(value).slice(0, 60) + ' is not a number') }
  function power(n) { return 10n ** BigInt(n) }
  function make(coefficient, scale) {
    var number = Object.create(BigNumber.prototype)
    while (scale > 0 && coefficient % 10n === 0n) { coefficient /= 10n; scale-- }
    number.c = coefficient
    number.s = scale
    return number
  }
  function fromBase(text, base) {
    var negative = text.charAt(0) === '-'
    var digits = negative ? text.slice(1) : text
    if (digits === '' || !(base >= 2 && base <= 36)) fault(text)
    var value = 0n
    for (var i = 0; i < digits.length; i++) {
      var digit = parseInt(digits.charAt(i), 36)
      if (!(digit < base)) fault(text)
      value = value * BigInt(base) + BigInt(digit)
    }
    return make(negative ? -value : value, 0)
  }
  function parse(value, base) {
    if (value instanceof BigNumber) return value
    if (typeof value === 'bigint') return make(value, 0)
    if (typeof value !== 'number' && typeof value !== 'string') fault(value)
    var text = String(value).trim()
    if (typeof value === 'number' && text.replace(/[^0-9]/g, '').replace(/^0+/, '').length > 15) fault(text)
    if (base !== undefined && base !== null && base !== 10) return fromBase(text.toLowerCase(), Number(base))
    var prefixed = /^(-?)0([xob])([0-9a-z]+)$/i.exec(text)
    if (prefixed) return fromBase(prefixed[1] + prefixed[3].toLowerCase(), { x: 16, o: 8, b: 2 }[prefixed[2].toLowerCase()])
    var match = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,4}))?$/i.exec(text)
    if (!match || match[2] + match[3] === '') fault(text)
    var scale = match[3].length - Number(match[4] || 0)
    var coefficient = BigInt(match[1].replace('+', '') + match[2] + match[3])
    return scale < 0 ? make(coefficient * power(-scale), 0) : make(coefficient, scale)
  }
  function BigNumber(value, base) {
    var number = parse(value, base)
    if (!(this instanceof BigNumber)) return make(number.c, number.s)
    this.c = number.c
    this.s = number.s
  }
  function aligned(a, b, run) {
    var scale = Math.max(a.s, b.s)
    return run(a.c * power(scale - a.s), b.c * power(scale - b.s), scale)
  }
  function compare(a, value, base) {
    return aligned(a, parse(value, base), function (x, y) { return x < y ? -1 : x > y ? 1 : 0 })
  }
  function divided(a, b, places) {
    if (b.c === 0n) throw new Error('BigNumber: division by zero')
    var top = a.c * power(b.s + places + 1)
    var quotient = top / (b.c * power(a.s))
    return make((quotient + (quotient < 0n ? -5n : 5n)) / 10n, places)
  }
  function whole(a, how) {
    var unit = power(a.s)
    var cut = a.c / unit
    var rest = a.c % unit
    if (rest === 0n || how === 'trunc') return make(cut, 0)
    if (how === 'floor') return make(rest < 0n ? cut - 1n : cut, 0)
    if (how === 'ceil') return make(rest > 0n ? cut + 1n : cut, 0)
    return rounded(a, 0)
  }
  function rounded(a, places) {
    if (a.s <= places) return a
    var unit = power(a.s - places)
    var half = unit / 2n
    return make((a.c + (a.c < 0n ? -half : half)) / unit, places)
  }
  function plain(a, places) {
    var scale = places === undefined ? a.s : places
    var digits = (a.c < 0n ? -a.c : a.c).toString() + '0'.repeat(Math.max(0, scale - a.s))
    digits = digits.padStart(scale + 1, '0')
    var head = digits.slice(0, digits.length - scale)
    return (a.c < 0n ? '-' : '') + head + (scale > 0 ? '.' + digits.slice(digits.length - scale) : '')
  }
  function text(a, base) {
    if (base !== undefined && base !== null && base !== 10) {
      if (a.s > 0) throw new Error('BigNumber: only whole numbers have digits in base ' + base)
      return a.c.toString(base)
    }
    var digits = (a.c < 0n ? -a.c : a.c).toString()
    var exponent = digits.length - 1 - a.s
    if (a.c === 0n || (exponent > -7 && exponent <= 20)) return plain(a)
    var rest = digits.slice(1).replace(/0+$/, '')
    return (a.c < 0n ? '-' : '') + digits.charAt(0) + (rest ? '.' + rest : '') + 'e' + (exponent < 0 ? '-' : '+') + Math.abs(exponent)
  }
  function pow(a, n) {
    n = Number(n)
    if (!(n >= 0 && n <= 10000 && n === Math.floor(n))) throw new Error('BigNumber: exponent is not in 0..10000')
    return make(a.c ** BigInt(n), a.s * n)
  }
  function define(names, run) {
    names.split(' ').forEach(function (name) {
      Object.defineProperty(BigNumber.prototype, name, { value: run, writable: true, configurable: true })
    })
  }
  define('plus add', function (v, b) { return aligned(this, parse(v, b), function (x, y, s) { return make(x + y, s) }) })
  define('minus sub', function (v, b) { return aligned(this, parse(v, b), function (x, y, s) { return make(x - y, s) }) })
  define('times mul multipliedBy', function (v, b) { var o = parse(v, b); return make(this.c * o.c, this.s + o.s) })
  define('dividedBy div', function (v, b) { return divided(this, parse(v, b), PLACES) })
  define('dividedToIntegerBy divToInt idiv', function (v, b) {
    var o = parse(v, b)
    if (o.c === 0n) throw new Error('BigNumber: division by zero')
    return aligned(this, o, function (x, y) { return make(x / y, 0) })
  })
  define('modulo mod', function (v, b) {
    var o = parse(v, b)
    if (o.c === 0n) throw new Error('BigNumber: division by zero')
    return aligned(this, o, function (x, y, s) { return make(x % y, s) })
  })
  define('toPower pow exponentiatedBy', function (n) { return pow(this, n) })
  define('shiftedBy shift', function (n) { return this.times('1e' + Number(n)) })
  define('comparedTo cmp', function (v, b) { return compare(this, v, b) })
  define('equals eq isEqualTo', function (v, b) { return compare(this, v, b) === 0 })
  define('lessThan lt isLessThan', function (v, b) { return compare(this, v, b) < 0 })
  define('lessThanOrEqualTo lte isLessThanOrEqualTo', function (v, b) { return compare(this, v, b) <= 0 })
  define('greaterThan gt isGreaterThan', function (v, b) { return compare(this, v, b) > 0 })
  define('greaterThanOrEqualTo gte isGreaterThanOrEqualTo', function (v, b) { return compare(this, v, b) >= 0 })
  define('negated neg', function () { return make(-this.c, this.s) })
  define('absoluteValue abs', function () { return make(this.c < 0n ? -this.c : this.c, this.s) })
  define('floor', function () { return whole(this, 'floor') })
  define('ceil', function () { return whole(this, 'ceil') })
  define('truncated trunc', function () { return whole(this, 'trunc') })
  define('integerValue', function () { return whole(this, 'round') })
  define('round', function (places) { return rounded(this, Number(places || 0)) })
  define('decimalPlaces dp', function (places) { return places === undefined ? this.s : rounded(this, Number(places)) })
  define('isZero', function () { return this.c === 0n })
  define('isNegative isNeg', function () { return this.c < 0n })
  define('isPositive', function () { return this.c >= 0n })
  define('isInteger isInt', function () { return this.s === 0 })
  define('isFinite', function () { return true })
  define('isNaN', function () { return false })
  define('toNumber', function () { return Number(text(this)) })
  define('toFixed', function (places) {
    return places === undefined ? plain(this) : plain(rounded(this, Number(places)), Number(places))
  })
  define('toString', function (base) { return text(this, base) })
  define('toJSON valueOf', function () { return text(this) })
  BigNumber.max = function () { return [].map.call(arguments, parse1).reduce(function (a, b) { return a.gte(b) ? a : b }) }
  BigNumber.min = function () { return [].map.call(arguments, parse1).reduce(function (a, b) { return a.lte(b) ? a : b }) }
  BigNumber.isBigNumber = function (value) { return value instanceof BigNumber }
  BigNumber.config = function () { return {} }
  function parse1(value) { return parse(value) }
  scope.BigNumber = BigNumber
})(globalThis)
`
