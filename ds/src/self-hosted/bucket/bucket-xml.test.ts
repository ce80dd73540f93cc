import { expect, test } from 'vitest'
import { readElement, readElements, readKey, writeParts } from './bucket-xml.ts'

test('elements are found by their names, and their text is read', () => {
  const xml = '<L><Key>a&amp;b&#x20;&#33;&unknown;</Key><Keys>no</Keys><Key>c\nd</Key></L>'
  expect(readElement(xml, 'Key')).toBe('a&b !&unknown;')
  expect(readElements(xml, 'Key')).toEqual(['a&amp;b&#x20;&#33;&unknown;', 'c\nd'])
  expect(readElement(xml, 'Size')).toBeUndefined()
})

test.each([
  ['a%2Fb+c%2Bd', true, 'a/b c+d'],
  ['a+b%2F', false, 'a+b%2F'],
  ['%E0%A4%A', true, undefined],
])('the key %s, encoded: %s, is %s', (text, isEncoded, key) => {
  expect(readKey(`<Contents><Key>${text}</Key></Contents>`, isEncoded)).toBe(key)
})

test('the parts of an upload are listed from 1', () => {
  expect(writeParts(['"one"', '"two"'])).toContain(
    '<Part><PartNumber>1</PartNumber><ETag>"one"</ETag></Part><Part><PartNumber>2</PartNumber><ETag>"two"</ETag></Part>',
  )
})
