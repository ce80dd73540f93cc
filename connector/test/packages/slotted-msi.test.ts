/** A package for Windows that is signed, has a slot, and gets the values of a service: its signature stays right. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSlot, slotLength, writeSlot } from '@cardwire/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createWindowsSigner } from '../../build/sign-windows.ts'
import type { Slot } from '../../packages/package-facts.ts'
import { signMsi } from '../../packages/windows/slotted-msi.ts'
import {
  attributeHead,
  createSlotValues,
  findMsiSlot,
  readStampedSettings,
} from '../../src/system/msi-slot.ts'
import { makeSampleMsi, makeSigner, type Signer, verifySignature } from './sample-msi.ts'

const top = mkdtempSync(join(tmpdir(), 'cardwire-msi-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

const unsigned = makeSampleMsi(top)

const createValues = (installationKey: string) => ({
  url: 'https://ds.example',
  installationKey,
  fingerprints: ['A'.repeat(43), 'B'.repeat(43)],
})

describe.each([
  ['its files alone', []],
  ['its files and their names', ['-add-msi-dse']],
])('a signature over %s', (_, options) => {
  let signer: Signer
  let slotted: string
  let slot: Slot
  beforeAll(() => {
    const folder = mkdtempSync(join(top, 'signed-'))
    signer = makeSigner(folder, ...options)
    slotted = join(folder, 'slotted.msi')
    copyFileSync(unsigned, slotted)
    const signWindows = createWindowsSigner(signer.command)
    const made = signMsi(slotted, { signWindows, report: () => undefined })
    if (made === undefined) throw new Error('Expected a slot')
    slot = made
  })

  const change = (act: (bytes: Buffer) => void): string => {
    const bytes = readFileSync(slotted)
    act(bytes)
    const file = join(mkdtempSync(join(top, 'changed-')), 'changed.msi')
    writeFileSync(file, bytes)
    return file
  }
  const stamp = (key: string) =>
    change((bytes) => bytes.set(writeSlot(createValues(key)) ?? [], slot.offset))

  test('is right with an empty slot', () => {
    expect(verifySignature(slotted, signer)).toBe(true)
    const bytes = readFileSync(slotted).subarray(slot.offset, slot.offset + slot.length)
    expect([isSlot(bytes), bytes.equals(writeSlot() ?? Buffer.of())]).toEqual([true, true])
  })

  test('stays right when a service writes its values, which are read again', () => {
    const stamped = stamp('5f0f3a52-8a6e-4f6c-9a52-0b8f3a52e001')
    expect(verifySignature(stamped, signer)).toBe(true)
    expect(readStampedSettings(readFileSync(stamped))).toEqual({
      CARDWIRE_DS_URL: 'https://ds.example',
      CARDWIRE_INSTALLATION_KEY: '5f0f3a52-8a6e-4f6c-9a52-0b8f3a52e001',
      CARDWIRE_DS_FINGERPRINTS: `${'A'.repeat(43)},${'B'.repeat(43)}`,
    })
  })

  test('with the values of two versions the packages differ in the slot alone', () => {
    const [first, second] = ['1', '2'].map((key) => readFileSync(stamp(key)))
    const blank = (bytes = Buffer.of()) => {
      bytes.set(writeSlot() ?? [], slot.offset)
      return bytes
    }
    expect(first?.equals(second ?? Buffer.of())).toBe(false)
    expect(blank(first).equals(readFileSync(slotted))).toBe(true)
    expect(blank(second).equals(readFileSync(slotted))).toBe(true)
  })

  test('is wrong when a byte of a file is changed', () => {
    const data = readFileSync(join(top, 'data.bin')).subarray(1000, 1040)
    const changed = change((bytes) => {
      const at = bytes.indexOf(data)
      expect(at).toBeGreaterThan(0)
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    })
    expect(verifySignature(changed, signer)).toBe(false)
  })
})

test('a package that is not signed has no slot, and whoever makes it is told so', () => {
  const lines: string[] = []
  expect(signMsi(unsigned, { report: (line) => lines.push(line) })).toBeUndefined()
  expect(lines).toEqual([
    'unsigned: sample.msi has no signature for Windows, and no slot for the values of a service',
  ])
  expect(findMsiSlot(readFileSync(unsigned))).toBeUndefined()
  expect(readStampedSettings(readFileSync(unsigned))).toEqual({})
})

test('a command that does not sign is told, with what it said', () => {
  const file = join(top, 'refused.msi')
  copyFileSync(unsigned, file)
  const sign = (command: string) => () => createWindowsSigner(command)?.(file)
  expect(sign('cp')).toThrow('the file has no signature after it')
  expect(sign('echo "no token is there" >&2; false')).toThrow('no token is there')
  expect(readFileSync(file).equals(readFileSync(unsigned))).toBe(true)
})

test('the first line of a slot elsewhere in a package makes no slot', () => {
  proves('windows-package-changed')
  const values = '# cardwire-slot-1\nCARDWIRE_DS_URL=https://a.example\n'
  expect(readStampedSettings(Buffer.from(values.padEnd(slotLength, '\n')))).toEqual({})
})

test('a slot gives no other settings than those of a service', () => {
  proves('windows-package-changed')
  const slot = writeSlot(createValues('5f0f3a52-8a6e-4f6c-9a52-0b8f3a52e001')) ?? Buffer.of()
  const more = Buffer.from('CARDWIRE_CA_FILE=evil.pem\nPATH=evil\n')
  const changed = Buffer.from(slot)
  changed.set(more, changed.indexOf('\n\n') + 1)
  const file = Buffer.concat([attributeHead, createSlotValues(changed)])
  expect(changed.toString()).toContain('CARDWIRE_CA_FILE=evil.pem')
  expect(Object.keys(readStampedSettings(file))).toEqual([
    'CARDWIRE_DS_URL',
    'CARDWIRE_INSTALLATION_KEY',
    'CARDWIRE_DS_FINGERPRINTS',
  ])
})
