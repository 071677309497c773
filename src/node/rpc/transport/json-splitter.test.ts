import { expect, it } from 'vitest'
import { JsonSplitter } from './json-splitter'

const MESSAGES = ['{"a":[1,{"b":"}\\"]{"}]}', '[1,2,[3]]', '"text \\\\"', '{"é":"中"}', '[]']

it.each([1, 2, 3, 7, 1_000])('cuts values that follow each other out of chunks of %i bytes', (size) => {
  const splitter = new JsonSplitter(1_000)
  const bytes = Buffer.from(MESSAGES.join(''))
  const values: string[] = []

  for (let at = 0; at < bytes.length; at += size) values.push(...(splitter.push(bytes.subarray(at, at + size)) ?? []))

  expect(values).toEqual(MESSAGES)
})

it('takes white space between values, and words when something ends them', () => {
  const splitter = new JsonSplitter(1_000)

  expect(splitter.push(Buffer.from(' \n{"a":1}\t5 true'))?.map((value) => value.trim())).toEqual(['{"a":1}', '5'])
  expect(splitter.push(Buffer.from('\n'))?.map((value) => value.trim())).toEqual(['true'])
  expect(splitter.push(Buffer.from('   '))).toEqual([])
})

it('hands over a stray bracket, which the parser refuses', () => {
  expect(new JsonSplitter(1_000).push(Buffer.from('}'))).toEqual(['}'])
})

it('gives up on a value that is too long, whole or not', () => {
  expect(new JsonSplitter(10).push(Buffer.from('"12345678"'))).toEqual(['"12345678"'])
  expect(new JsonSplitter(10).push(Buffer.from('"123456789"'))).toBeNull()
  const splitter = new JsonSplitter(10)
  expect(splitter.push(Buffer.from('["123456'))).toEqual([])
  expect(splitter.push(Buffer.from('7890'))).toBeNull()
})
