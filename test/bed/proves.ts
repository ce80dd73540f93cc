/** What a test proves: rules of docs/conformance.md and docs/threat-model.md, by their ids. */
import { TestRunner } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    rules?: readonly string[]
  }
}

/** The first statement of a test that proves rules: `proves('latest-version', 'version-id-unique')`. */
export function proves(...rules: readonly string[]): void {
  const test = TestRunner.getCurrentTest()
  // Of tests that run at the same time it is unknown which one calls.
  if (test === undefined || test.concurrent)
    throw new Error(`Cannot say which test proves ${rules.join(', ')}`)
  test.meta.rules = [...(test.meta.rules ?? []), ...rules]
}
