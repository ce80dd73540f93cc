/** Tables of what constraints permit, and that DER written here reads back. */
import { describe, expect, test } from 'vitest'
import { decodeConstraints, encodeConstraints, permitsName } from './constraints.ts'
import { readName } from './names.ts'

const names = (...texts: string[]) => texts.flatMap((text) => readName(text) ?? [])
const full = decodeConstraints(
  encodeConstraints('full', names('localhost', 'a.example.org', '127.0.0.1', '::1')),
)
const dns = decodeConstraints(encodeConstraints('dns', names('localhost', '127.0.0.1')))

test('encodeConstraints writes what decodeConstraints reads', () => {
  expect(full).toEqual({
    kind: 'full',
    dns: ['localhost', 'a.example.org'],
    ip: ['127.0.0.1', '::1'],
  })
  expect(dns).toEqual({ kind: 'dns', dns: ['localhost'], ip: undefined })
  expect(decodeConstraints(undefined)).toEqual({ kind: 'none', dns: undefined, ip: undefined })
})

test('Long lists of names take long lengths', () => {
  const many = names(...Array.from({ length: 40 }, (_, at) => `host-${at}.example.org`))
  expect(decodeConstraints(encodeConstraints('full', many)).dns).toHaveLength(40)
})

describe('permits', () => {
  test.each([
    [full, 'localhost', true],
    [full, 'sub.localhost', true],
    [full, 'notlocalhost', false],
    [full, 'a.example.org', true],
    [full, 'b.example.org', false],
    [full, 'example.org', false],
    [full, '127.0.0.1', true],
    [full, '127.0.0.2', false],
    [full, '::1', true],
    [full, '::2', false],
    [dns, '192.0.2.1', true],
    [dns, 'example.org', false],
    [decodeConstraints(undefined), 'example.org', true],
  ])('%j, %s: %s', (constraints, text, answer) => {
    const name = readName(text)
    expect(name && permitsName(constraints, name)).toBe(answer)
  })

  test('A network permits what lies in it', () => {
    const network = { kind: 'full', dns: [], ip: ['10.1.0.0/255.255.0.0'] } as const
    const [inside, outside] = names('10.1.2.3', '10.2.2.3')
    expect(inside && permitsName(network, inside)).toBe(true)
    expect(outside && permitsName(network, outside)).toBe(false)
  })
})

test('decodeConstraints takes a root that excludes names as one that permits none', () => {
  // 30 0D: A1 0B (excluded), 30 09, 82 07 "example"
  const excluded = Buffer.from('300da10b3009820765786d706c65', 'hex').subarray(0, -1)
  expect(() => decodeConstraints(excluded)).toThrow('not DER')
  const whole = Buffer.from('300da10b300982076578616d706c65', 'hex')
  expect(decodeConstraints(whole)).toEqual({ kind: 'full', dns: [], ip: [] })
})

test('decodeConstraints refuses what is cut off', () => {
  const value = encodeConstraints('full', names('localhost'))
  expect(() => decodeConstraints(value.slice(0, -2))).toThrow('not DER')
})
