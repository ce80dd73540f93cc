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
  await dialog.show({ title: 'a\u0007', text: 'one\n\u001b[2Jtwo', close: 'Close', link }, 1000)
  expect(shown).toMatchObject([
    {
      title: 'a\\u0007',
      text: 'one\n\\u001b[2Jtwo',
      button: { label: 'Download\\u202e9\\u000a' },
    },
  ])
})

test.each(['file:///usr/bin/xeyes', 'javascript:alert(1)', 'cardwire:open', 'not an address'])(
  'a dialog has no button for the link %s, and opens nothing',
  async (url) => {
    proves('service-controls-terminal')
    const opened: string[] = []
    const shown: Prompt[] = []
    const prompt = async (question: Prompt) => {
      shown.push(question)
      return 'pressed' as const
    }
    const open = async (address: string) => opened.push(address) > 0
    const message = { title: 'Update', text: 'There is one.', close: 'Close' }
    const question = { ...message, link: { label: 'Open', url } }
    expect(await createDialog(prompt, open).show(question, 1000)).toBe('closed')
    expect(shown).toEqual([message])
    expect(opened).toEqual([])
  },
)
