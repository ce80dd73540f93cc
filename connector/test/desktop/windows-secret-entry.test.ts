/** The buffers of the window for credentials, filled as Windows fills them: nothing stays in them. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { showCredentialWindow } from '../../src/system/desktop/windows-secret-entry.ts'
import { viewMemory } from './native.ts'

const question = { title: 'Cardwire', text: 'Who wants what', field: 'PIN' }
const secret = '90817263'
const [entered, cancelled, invalid] = [0, 1223, 87]

/** Shows a window in which this secret is typed, and that ends with this status. */
function show(status: number) {
  let password: Uint8Array = new Uint8Array()
  const alloc = vi.spyOn(Buffer, 'alloc')
  onTestFinished(() => void alloc.mockRestore())
  const answer = showCredentialWindow(question, {
    CredUIPromptForCredentialsW: (...args) => {
      password = viewMemory(args[6], args[7] * 2)
      password.set(Buffer.from(`${secret}\0`, 'utf16le'))
      return status
    },
  })
  const others = alloc.mock.results
    .map(({ value }) => value as Buffer)
    .filter((buffer) => buffer !== answer)
  return { answer, password, others }
}

test('what was typed is the answer, and in no other buffer', () => {
  proves('pin-in-connector')
  const { answer, password, others } = show(entered)
  expect(String(answer)).toBe(secret)
  expect(password.every((byte) => byte === 0)).toBe(true)
  expect(others.some((buffer) => buffer.includes(secret))).toBe(false)
})

test.each([
  [cancelled, 'closed'],
  [invalid, 'failed'],
])('what was typed into a window that ends with %i is nowhere', (status, expected) => {
  const { answer, password, others } = show(status)
  expect(answer).toBe(expected)
  expect(password.every((byte) => byte === 0)).toBe(true)
  expect(others.some((buffer) => buffer.includes(secret))).toBe(false)
})
