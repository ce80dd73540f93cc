/** The slot of a package: its bytes, empty and filled. */
import { expect, test } from 'vitest'
import { isSlot, slotLength, writeSlot } from './package-slot.ts'

const values = {
  url: 'https://ds.example',
  installationKey: 'b0f0ad0e-2f4f-4d0b-8a62-0f8b6d1f0d57',
  fingerprints: ['a'.repeat(43), 'b'.repeat(43)],
}

test('writeSlot makes an empty slot of 4096 bytes, a comment and line ends', () => {
  const slot = writeSlot()
  expect(slot?.length).toBe(slotLength)
  expect(new TextDecoder().decode(slot)).toBe('# cardwire-slot-1\n'.padEnd(slotLength, '\n'))
})

test('writeSlot fills a slot with lines that the connector and systemd read', () => {
  const text = new TextDecoder().decode(writeSlot(values))
  expect(text.length).toBe(slotLength)
  expect(text.trimEnd().split('\n')).toEqual([
    '# cardwire-slot-1',
    'CARDWIRE_DS_URL=https://ds.example',
    'CARDWIRE_INSTALLATION_KEY=b0f0ad0e-2f4f-4d0b-8a62-0f8b6d1f0d57',
    `CARDWIRE_DS_FINGERPRINTS=${'a'.repeat(43)},${'b'.repeat(43)}`,
  ])
})

test('writeSlot makes nothing of values that are too long', () => {
  expect(writeSlot({ ...values, fingerprints: Array(100).fill('a'.repeat(43)) })).toBeUndefined()
})

test.each([
  ['an empty slot', writeSlot(), true],
  ['a filled one', writeSlot(values), true],
  ['a shorter one', writeSlot()?.subarray(1), false],
  ['other bytes', new Uint8Array(slotLength), false],
])('isSlot tells %s', (_, bytes, is) => {
  expect(isSlot(bytes ?? new Uint8Array())).toBe(is)
})
