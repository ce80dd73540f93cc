/** What a user is told of an update in windows. */
import { expect, test } from 'vitest'
import { createWindowAudience } from './update-audience.ts'

function openWindows(language: string) {
  const shown: string[] = []
  const audience = createWindowAudience(
    {
      askQuestion: async ({ title, text, accept, refuse }) => {
        shown.push(`${title}: ${text} [${accept}] [${refuse}]`)
        return 'accepted'
      },
      notifier: { show: async ({ text }) => shown.push(text) > 0 },
      dialog: { show: async () => 'closed' },
    },
    language,
  )
  return { audience, shown }
}

test.each([
  ['nl_BE', 'Cardwire bijwerken: Versie 4.1.0 nu installeren? [Installeren] [Annuleren]'],
  [
    'fr',
    'Mise à jour de Cardwire: Installer la version 4.1.0 maintenant\u202f? [Installer] [Annuler]',
  ],
  ['de', 'Cardwire-Update: Version 4.1.0 jetzt installieren? [Installieren] [Abbrechen]'],
  ['pt', 'Cardwire update: Install version 4.1.0 now? [Install] [Cancel]'],
])('a window asks in the language of the user: %s', async (language, expected) => {
  const { audience, shown } = openWindows(language)
  expect(await audience.ask(audience.texts.question('4.1.0'))).toBe(true)
  expect(shown).toEqual([expected])
})

test('a window that asks says why it does', async () => {
  const { audience, shown } = openWindows('en')
  await audience.ask(audience.texts.question('3.9.0'), audience.texts.older('4.0.0'))
  expect(shown.join()).toContain(
    'The offered version is older than the one you have (4.0.0). Install version 3.9.0 now?',
  )
})

test('a download is announced by its version, whatever was printed before', () => {
  const { audience, shown } = openWindows('en')
  audience.printLine('Version 4.1.0 (31 MB): https://ds.example/cardwire-4.1.0.deb')
  audience.announce('4.1.0')
  audience.progress.show(1, 2)
  expect(shown).toEqual(['Downloading version 4.1.0'])
})
