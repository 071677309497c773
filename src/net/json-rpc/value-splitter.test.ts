import { expect, it } from 'vitest'
import { ValueSplitter } from './value-splitter'

const MESSAGES = ['{"a":[1,{"b":"}\\"]{"}]}', '[1,2,[3]]', '"text \\\\"', '{"é":"中"}', '[]']

const trimmed = (values: readonly string[]) => values.map((value) => value.trim())

it.each([1, 2, 3, 7, 1_000])('splits consecutive values from chunks of %i bytes', (size) => {
  const splitter = new ValueSplitter(1_000)
  const bytes = Buffer.from(MESSAGES.join(''))
  const values: string[] = []

  for (let at = 0; at < bytes.length; at += size) values.push(...splitter.push(bytes.subarray(at, at + size)))

  expect(values).toEqual(MESSAGES)
})

it('accepts white space between values, and words ended by something', () => {
  const splitter = new ValueSplitter(1_000)

  expect(trimmed(splitter.push(Buffer.from(' \n{"a":1}\t5 true')))).toEqual(['{"a":1}', '5'])
  expect(trimmed(splitter.push(Buffer.from('\n')))).toEqual(['true'])
  expect(splitter.push(Buffer.from('   '))).toEqual([])
})

it.each(['}', ']', ','])('passes on a stray %s at once, which the parser rejects', (text) => {
  expect(new ValueSplitter(1_000).push(Buffer.from(text))).toEqual([text])
})

it('ends a word at a comma', () => {
  expect(new ValueSplitter(1_000).push(Buffer.from('5,6 '))).toEqual(['5', ',6'])
})

it('passes on a string with a line break in it at once, and continues after it', () => {
  const splitter = new ValueSplitter(1_000)

  expect(splitter.push(Buffer.from('{"a":"b\n'))).toEqual(['{"a":"b\n'])
  expect(splitter.push(Buffer.from('{"a":1}'))).toEqual(['{"a":1}'])
})

it('ends at a value that is too long, complete or not, and gives what came before it', () => {
  expect(new ValueSplitter(10).push(Buffer.from('"12345678"'))).toEqual(['"12345678"'])
  const whole = new ValueSplitter(10)
  expect(whole.push(Buffer.from('1 "123456789" 2 '))).toEqual(['1'])
  expect([whole.isOver, whole.push(Buffer.from('3 '))]).toEqual([true, []])
  const splitter = new ValueSplitter(10)
  expect([splitter.push(Buffer.from('["123456')), splitter.isOver]).toEqual([[], false])
  expect([splitter.push(Buffer.from('7890')), splitter.isOver]).toEqual([[], true])
})
