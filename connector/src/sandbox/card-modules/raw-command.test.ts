/** Which commands of a page reach a card, as a table: instructions, classes, forms of SELECT. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { refuseCommand } from './raw-command.ts'

const aids = ['A000000308', 'D27600012401']
const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const refuse = (text: string, isSelected = true) => refuseCommand(hex(text), aids, isSelected)?.kind

test.each([
  '00CA004F00',
  '00CB3FFF055C035FC10500',
  '10CB3FFF01 5C',
  '0CCA0000',
  '80CA9F7F00',
  '00B0000000',
  '00A4020C025031',
  '00A4010002DF01',
  '00A40900025031',
  '00C0000010',
  '0088000004 01020304 00',
])('%s may be sent once an application is selected, and not before', (command) => {
  proves('raw-commands-misused')
  expect(refuse(command)).toBeUndefined()
  expect(refuse(command, false)).toBe('command')
})

test.each(['00A4040005A000000308', '00A4040005A00000030800', '00A4040C06D27600012401'])(
  '%s selects a granted application, in any state',
  (command) => {
    expect(refuse(command)).toBeUndefined()
    expect(refuse(command, false)).toBeUndefined()
  },
)

test.each([
  ['another application', '00A4040005A000000151'],
  ['one that begins like a granted one', '00A4040006A00000030810'],
  ['the beginning of a granted one', '00A4040004A0000003'],
  ['whatever is the first', '00A40400'],
  ['whatever is the first, with a length', '00A4040000'],
])('SELECT of %s is not granted', (_name, command) => {
  proves('raw-commands-misused')
  expect(refuse(command)).toBe('application')
})

test.each([
  ['VERIFY', '00200080 08 3132333435363738'],
  ['VERIFY without data', '00200080'],
  ['VERIFY in parts', '10200080 04 31323334'],
  ["VERIFY of a maker's class", '80200080 04 31323334'],
  ['VERIFY with secure messaging', '0C200080 04 31323334'],
  ['VERIFY with BER-TLV', '00210000 02 8300'],
  ['CHANGE REFERENCE DATA', '00240080 04 31323334'],
  ['CHANGE REFERENCE DATA with BER-TLV', '00250080 04 31323334'],
  ['DISABLE VERIFICATION REQUIREMENT', '00260080 04 31323334'],
  ['ENABLE VERIFICATION REQUIREMENT', '00280080 04 31323334'],
  ['ENABLE VERIFICATION REQUIREMENT of a GSM card', 'A0280001 08 31323334FFFFFFFF'],
  ['MANAGE SECURITY ENVIRONMENT for PACE', '0022C1A4 03 830103'],
  ['RESET RETRY COUNTER', '002C0080 04 31323334'],
  ['RESET RETRY COUNTER with BER-TLV', '002D0080 04 31323334'],
  ['MANAGE CHANNEL', '0070000001'],
  ['ENVELOPE', '00C20000 05 0020008000'],
  ['ENVELOPE with BER-TLV', '00C30000 05 0020008000'],
  ['logical channel 1', '01CA004F00'],
  ['logical channel 4', '40CA004F00'],
  ["logical channel 1 of a maker's class", '81CA004F00'],
  ["logical channel 4 of a maker's class", 'C0CA004F00'],
  ['a command to the reader', 'FFCA000000'],
  ['a class that nobody has defined', '20CA000000'],
  ['SELECT of the next application', '00A4040205A000000308'],
  ['SELECT in parts', '10A4040005A000000308'],
  ["SELECT of a maker's class", '80A4040005A000000308'],
  ['SELECT of the master file', '00A400000 23F00'],
  ['SELECT by a path from the master file', '00A4080004 3F00DF01'],
  ['SELECT of the folder above', '00A40300'],
  ['SELECT of the master file as one below', '00A4010002 3F00'],
  ['SELECT of the master file as a file', '00A4020C02 3F00'],
  ['SELECT by a path through the master file', '00A4090004 3F00DF01'],
  ['SELECT of no file', '00A40200'],
  ['SELECT of no folder, with a length', '00A4010000'],
  ['SELECT of half a file', '00A4020003 503150'],
  ['three bytes', '00CA00'],
  ['a length without its data', '00CA000005 0102'],
  ['more than its length', '00CA000001 010203'],
  ['lengths of more than a byte', '00CA0000 000002 0102'],
])('%s may not be sent', (_name, command) => {
  proves('raw-commands-misused')
  expect(refuse(command)).toBe('command')
})
