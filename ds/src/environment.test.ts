/** The table of the settings, as the help text and the documentation show it. */
import { expect, test } from 'vitest'
import { describeSettings } from './environment.ts'

test('describeSettings has the meaning of every setting', () => {
  const settings = describeSettings()
  expect(settings.length).toBeGreaterThan(20)
  for (const { name, meaning } of settings) {
    expect(name).toMatch(/^DS_[A-Z_]+$/)
    expect(meaning).not.toBe('')
  }
})

test('describeSettings has the default where there is one', () => {
  const defaults = Object.fromEntries(
    describeSettings().map(({ name, fallback }) => [name, fallback]),
  )
  expect(defaults).toMatchObject({ DS_PORT: '8080', DS_KEY_OVERLAP: '86400', DS_SECRET: '' })
})
