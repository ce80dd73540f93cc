/** Which bytes are sent to a card as a PIN. */
import { expect, test } from 'vitest'
import type { RequestPin } from '../../user/dialogs/pin-request.ts'
import { isPinAllowed } from './pin-rule.ts'

const rule: Parameters<RequestPin>[0]['pin'] = { min: 4, max: 8, alphabet: 'digits' }
const bytes = (text: string) => new TextEncoder().encode(text)

test.each([
  ['1234', 'digits', true],
  ['12345678', 'digits', true],
  ['123', 'digits', false],
  ['123456789', 'digits', false],
  ['12a4', 'digits', false],
  ['12a4', 'printable', true],
  ['12é4', 'printable', false],
  ['123\n', 'printable', false],
  ['', 'printable', false],
] as const)(
  'PIN "%s" with the alphabet %s and four to eight characters: %s',
  (pin, alphabet, allowed) => {
    expect(isPinAllowed({ ...rule, alphabet }, bytes(pin))).toBe(allowed)
  },
)
