/** The window of a verdict. */
import { expect, test } from 'vitest'
import { toMessage } from './verdict.ts'

const verdict = {
  action: 'recommend',
  version: '4.0.0',
  offer: { version: '4.1.0', url: 'https://ds.example/cardwire.deb' },
} as const

test.each([
  ['en-GB', 'A Cardwire update is available', 'Install 4.1.0'],
  ['nl', 'Er is een update voor Cardwire', '4.1.0 installeren'],
  ['fr_BE', 'Une mise à jour de Cardwire est disponible', 'Installer 4.1.0'],
  ['de', 'Für Cardwire ist ein Update verfügbar', '4.1.0 installieren'],
  ['', 'A Cardwire update is available', 'Install 4.1.0'],
])('the window of a verdict is in the language of the user: %j', (language, title, label) => {
  const message = toMessage(verdict, { offersUpdates: true, language })
  expect(message).toMatchObject({ title, link: { label } })
  expect(message.text).toContain('4.1.0')
})
