/** The table of codes, beside pcsc-lite's header. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { codes, getCodeMeaning, getCodeName, PcscError } from './codes.ts'

test('the codes have the values of pcsclite.h, all of them', async () => {
  const header = await readFile('/usr/include/PCSC/pcsclite.h', 'utf8')
  const defined = [...header.matchAll(/^#define (SCARD_[EWFP]_\w+)\s+\(\(LONG\)(0x8[0-9A-F]+)\)/gm)]
    .map(([, name = '', value]) => [name, Number(value)] as const)
    // pcsc-lite gives it the value of SCARD_E_UNEXPECTED.
    .filter(([name]) => name !== 'SCARD_E_UNSUPPORTED_FEATURE')
  expect(defined.length).toBeGreaterThan(50)
  const ours = new Map(Object.entries(codes).map(([name, { value }]) => [name, value]))
  expect(defined.filter(([name, value]) => ours.get(name) !== value)).toEqual([])
})

test('no two codes share a value, and each has a sentence without full stop', () => {
  const entries = Object.values(codes)
  expect(new Set(entries.map(({ value }) => value)).size).toBe(entries.length)
  for (const { meaning } of entries) expect(meaning).toMatch(/^[A-Z].*[^.]$/)
})

test('a code without a name keeps its digits', () => {
  expect(getCodeName(6)).toBe('0x00000006')
  expect(getCodeMeaning('0x00000006')).toMatch(/^The smart card service/)
})

test('PcscError contains call, code and meaning', () => {
  const error = new PcscError('SCardConnect', 0x8010000b)
  expect(error.code).toBe('SCARD_E_SHARING_VIOLATION')
  expect(error.message).toBe(
    'Cannot SCardConnect: SCARD_E_SHARING_VIOLATION, Another program has exclusive use of the reader',
  )
})
