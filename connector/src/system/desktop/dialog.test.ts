/** What a dialog shows of texts that came from elsewhere. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createDialog, type Prompt } from './dialog.ts'

test('a dialog shows control characters as escapes, and lines as lines', async () => {
  proves('service-controls-terminal')
  const shown: Prompt[] = []
  const dialog = createDialog(
    async (question) => {
      shown.push(question)
      return 'closed'
    },
    async () => true,
  )
  const link = { label: 'Download\u202e9\n', url: 'https://downloads.example/a.deb' }
  await dialog.show({ title: 'a\u0007', text: 'one\n\u001b[2Jtwo', link }, 1000)
  expect(shown).toMatchObject([
    {
      title: 'a\\u0007',
      text: 'one\n\\u001b[2Jtwo',
      button: { label: 'Download\\u202e9\\u000a' },
    },
  ])
})
