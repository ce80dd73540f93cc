/** The form for address and key: what it accepts, what it may change, and the file that it writes. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { checkForm, readFields, replaceLines, writeFields } from './service-settings.ts'

const key = '123e4567-e89b-42d3-a456-426614174000'
const form = { address: 'https://ds.example', installationKey: key }
const free = { value: '', isSet: false }
const fields = { address: free, installationKey: free }

test.each([
  [form, {}],
  [
    { address: '', installationKey: '' },
    { address: 'missing', installationKey: 'missing' },
  ],
  [{ ...form, address: 'ds.example' }, { address: 'invalid' }],
  [{ ...form, address: 'http://ds.example' }, { address: 'invalid' }],
  [{ ...form, address: 'https://ds.example/#x' }, { address: 'invalid' }],
  [{ ...form, address: 'https://ds.example/\nCARDWIRE_JWT=off' }, { address: 'invalid' }],
  [{ ...form, installationKey: 'x' }, { installationKey: 'invalid' }],
])('%j has the faults %j', (typed, faults) => {
  expect(checkForm(typed, fields)).toEqual(faults)
})

test('a key that is there stays when nothing is typed', () => {
  const current = { address: free, installationKey: { value: '', isSet: true } }
  expect(checkForm({ ...form, installationKey: '' }, current)).toEqual({})
})

test.each([
  ['/etc/cardwire/managed.conf', 'administrator'],
  ['/etc/cardwire/cardwire.conf', 'administrator'],
  ['environment', 'environment'],
  ['/home/me/cardwire.conf', undefined],
])('an address from %s is fixed by %s', (name, fixedBy) => {
  const sources = [{ name, values: { CARDWIRE_DS_URL: 'https://ds.example' } }]
  const { address } = readFields(sources, '/home/me/cardwire.conf')
  expect(address).toEqual({
    value: 'https://ds.example',
    isSet: true,
    ...(fixedBy !== undefined && { fixedBy }),
  })
})

test('a key is never shown', () => {
  const sources = [{ name: 'file', values: { CARDWIRE_INSTALLATION_KEY: key } }]
  expect(readFields(sources, 'file').installationKey).toEqual({ value: '', isSet: true })
})

describe('the file', () => {
  let file: string
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'cardwire-form-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    file = join(folder, 'config', 'cardwire.conf')
  })

  test('is for this account alone', () => {
    writeFields(file, form, fields)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    expect(readFileSync(file, 'utf8')).toBe(
      `CARDWIRE_DS_URL=https://ds.example\nCARDWIRE_INSTALLATION_KEY=${key}\n`,
    )
  })

  test('keeps its other lines, and is closed to others when it was open', () => {
    writeFields(file, form, fields)
    const before = `# mine\nCARDWIRE_LOG_LEVEL=debug\nexport CARDWIRE_DS_URL = "https://old.example"`
    writeFileSync(file, before)
    chmodSync(file, 0o644)
    writeFields(file, form, fields)
    expect(readFileSync(file, 'utf8')).toBe(
      `# mine\nCARDWIRE_LOG_LEVEL=debug\n${replaceLines('', {
        CARDWIRE_DS_URL: form.address,
        CARDWIRE_INSTALLATION_KEY: key,
      })}`,
    )
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('with lines that would become others stays as it is', () => {
    writeFields(file, form, fields)
    const before = 'CARDWIRE_CORS="https://a.example,\nCARDWIRE_DS_URL=https://old.example"\n'
    writeFileSync(file, before)
    expect(() => writeFields(file, form, fields)).toThrow('does not understand')
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('does not get what somebody else has set', () => {
    const fixed = { value: 'https://other.example', isSet: true, fixedBy: 'administrator' } as const
    writeFields(file, form, { ...fields, address: fixed })
    expect(readFileSync(file, 'utf8')).toBe(`CARDWIRE_INSTALLATION_KEY=${key}\n`)
  })
})
