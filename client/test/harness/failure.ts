/** What a promise fails with, as the library's own error. */
import { expect } from 'vitest'
import { CardwireError } from '../../src/error.ts'

export async function failureOf(promise: Promise<unknown>) {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  const error = 'error' in outcome ? outcome.error : undefined
  expect(error, 'it fails').toBeInstanceOf(CardwireError)
  if (!CardwireError.is(error)) throw error
  return error
}
