/** A form that asks for a new key and is sent twice, as by a reload: the key that was shown first works. */
import { afterEach, expect, test } from 'vitest'
import { createLabel, createVersion } from './harness/arrange.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession } from './harness/page-session.ts'

let ds: InProcess
afterEach(() => ds.stop())

test.each(['application', 'version'])('the key of an %s is the same both times', async (kind) => {
  ds = await startInProcess()
  const token = await ds.login()
  const label = await createLabel(ds, token)
  const version = await createVersion(ds, token)
  const [path, name] =
    kind === 'application'
      ? [`labels/${label.id}/rotate`, label.name]
      : [`versions/${version.id}/key`, version.id]
  const session = await openPageSession(ds)
  const { text } = await session.get(path)
  const fields = [...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const form = {
    ...Object.fromEntries(fields.map(([, field, value]) => [field, value])),
    overlap: '0',
    confirm: name,
  }
  const shown = [await session.post(path, form), await session.post(path, form)].map(
    (page) => /id="(?:api|installation)-key"[^>]*>([0-9a-f-]{36})</.exec(page.text)?.[1],
  )
  expect(shown[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(shown[1]).toBe(shown[0])
})
