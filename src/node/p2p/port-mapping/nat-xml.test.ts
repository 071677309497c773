import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsNamed, parseXml, textOf, xmlText } from './nat-upnp'

describe("the reader of a router's XML", () => {
  it('reads elements, text, entities, comments and raw text, without prefixes', () => {
    const root = parseXml(
      '<?xml version="1.0"?><!-- hi --><s:a x="1"><b>1 &lt; 2</b><b/><c><![CDATA[<raw>]]></c></s:a>',
    )

    expect(root?.name).toBe('a')
    expect(root === null ? [] : elementsNamed(root, 'b').map(({ text }) => text)).toEqual(['1 < 2', ''])
    expect(root === null ? null : textOf(root, 'c')).toBe('<raw>')
    expect(root === null ? '' : textOf(root, 'none')).toBeNull()
  })

  it.each(
    [
      ['', '<a>', '</a>', '<a></b>', '<a/><b/>', 'text', '<a/>text', '<a', '<!-- <a/>', '<!DOCTYPE a><a/>'],
      [`${'<a>'.repeat(80)}${'</a>'.repeat(80)}`, `<a>${'<b/>'.repeat(6_000)}</a>`, `<a>${' '.repeat(300_000)}</a>`],
    ].flat(),
  )("rejects what isn't well-formed, or too much (%#)", (text) => {
    expect(parseXml(text)).toBeNull()
  })

  it('returns any text that was put in', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseXml(`<a>${xmlText(text)}</a>`)?.text).toBe(text.trim())
      }),
    )
  })

  it('is quick even with text made to be slow', () => {
    for (const text of [
      '<!--'.repeat(60_000),
      '<![CDATA['.repeat(25_000),
      '<a '.repeat(80_000),
      '<?'.repeat(120_000),
      `<${'a'.repeat(250_000)}`,
      `<${'a/'.repeat(125_000)}`,
    ]) {
      expect(parseXml(text)).toBeNull()
    }
  })
})
