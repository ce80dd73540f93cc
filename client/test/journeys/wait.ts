/** Waiting for what happens in other programs, as long as a loaded machine may take. */
import { expect, vi } from 'vitest'

/** Milliseconds. */
const patience = 30_000

// Several waits make a journey, and several journeys share the machine.
vi.setConfig({ testTimeout: 4 * patience })

/** Polls until the value is the expected one. */
export const becomes = <T>(value: () => T | Promise<T>, expected: unknown): Promise<void> =>
  expect.poll(value).toEqual(expected)
