/** What the local page is shown when a part of it cannot be read. */
import { expect, test } from 'vitest'
import { openCards } from '../../api/cards/open-cards.ts'
import { createFailureReport } from './failure-report.ts'
import { createViewWatch } from './watch-view.ts'

const noReaders = {
  snapshot: () => ({
    pcsc: { kind: 'down' as const, code: '', reason: '' },
    readers: [],
    sequence: 0,
  }),
  subscribe: () => () => undefined,
}

test('a view that cannot be read is logged whole, once, and refreshing does not throw', async () => {
  const lines: unknown[] = []
  const failure = new Error('no such thing')
  const fail = () => Promise.reject(failure)
  const report = createFailureReport(() => ({ error: (...line) => lines.push(line) }))
  const view = createViewWatch(noReaders, openCards(), fail, report)
  await view.refresh()
  await view.refresh()
  const stack = failure.stack?.split('\n')
  expect(lines).toEqual([['page failed', { reason: 'no such thing', stack }]])
})
