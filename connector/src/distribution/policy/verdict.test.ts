/** The window of a verdict. */
import { expect, test } from 'vitest'
import { toMessage } from './verdict.ts'

const verdict = {
  action: 'recommend',
  version: '4.0.0',
  offer: { version: '4.1.0', url: 'https://ds.example/cardwire.deb' },
} as const

test.each([
  ['en-GB', 'Cardwire can be updated', 'Install 4.1.0'],
  ['nl', 'Cardwire kan bijgewerkt worden', '4.1.0 installeren'],
  ['fr_BE', 'Cardwire peut être mis à jour', 'Installer 4.1.0'],
  ['de', 'Cardwire kann aktualisiert werden', '4.1.0 installieren'],
  ['', 'Cardwire can be updated', 'Install 4.1.0'],
])('the window of a verdict is in the language of the user: %j', (language, title, label) => {
  const message = toMessage(verdict, { offersUpdates: true, language })
  expect(message).toMatchObject({ title, link: { label } })
  expect(message.text).toContain('4.1.0')
})
