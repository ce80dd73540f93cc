/** Tables of names as people, certificates and browsers spell them. */
import { describe, expect, test } from 'vitest'
import { covers, readName } from './names.ts'

describe('readName', () => {
  test.each([
    ['localhost', 'dns', 'localhost'],
    ['Reader.Example.ORG.', 'dns', 'reader.example.org'],
    ['xn--bcher-kva.example', 'dns', 'xn--bcher-kva.example'],
    ['127.0.0.1', 'ip', '127.0.0.1'],
    ['::1', 'ip', '::1'],
    ['[::1]', 'ip', '::1'],
    ['0:0:0:0:0:0:0:1', 'ip', '::1'],
    ['2001:DB8::0:1', 'ip', '2001:db8::1'],
    ['::ffff:192.0.2.1', 'ip', '::ffff:c000:201'],
    ['::', 'ip', '::'],
  ])('reads %s as the %s %s', (text, kind, value) => {
    expect(readName(text)).toMatchObject({ kind, value })
  })

  test.each(['', '.', 'a..b', '*.example.org', '-a.b', 'a b', 'a/b', 'bücher.example', '1.2.3'])(
    'refuses %j',
    (text) => expect(readName(text)).toBeUndefined(),
  )

  test.each(['256.0.0.1', 'fe80::1%eth0', 'a.'.repeat(128), `${'a'.repeat(64)}.org`, 'user@a.org'])(
    'refuses %j, too',
    (text) => expect(readName(text)).toBeUndefined(),
  )

  test('gives the bytes of addresses', () => {
    const bytes = (text: string) => {
      const name = readName(text)
      return name?.kind === 'ip' ? [...name.bytes] : undefined
    }
    expect(bytes('10.0.0.255')).toEqual([10, 0, 0, 255])
    expect(bytes('2001:db8::ff')).toEqual([
      0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff,
    ])
  })
})

test.each([
  [['localhost', '127.0.0.1'], '127.0.0.1', true],
  [['localhost'], 'a.localhost', false],
  [['*.example.org'], 'a.example.org', true],
  [['*.example.org'], 'a.b.example.org', false],
  [['*.example.org'], 'example.org', false],
  [['*.org'], 'example.org', false],
] as const)('covers: %j for %s is %s', (names, text, answer) => {
  const name = readName(text)
  expect(name && covers(names, name)).toBe(answer)
})
