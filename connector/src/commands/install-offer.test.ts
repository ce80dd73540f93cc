/** When the button of a window, or `--yes`, is enough to install what the service offers. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { isPermitted } from './install-offer.ts'
import { createWindowAudience } from './update-audience.ts'

const url = 'https://ds.example/cardwire.deb'
const sha256 = 'a'.repeat(64)

test.each([
  ['a newer version with a hash', { version: '999.0.0', url, sha256 }, 'accepted', 0, true],
  ['an older version', { version: '0.0.0-0', url, sha256 }, 'refused', 1, false],
  ['an older version', { version: '0.0.0-0', url, sha256 }, 'accepted', 1, true],
  ['a file without a hash', { version: '999.0.0', url }, 'refused', 1, false],
  ['a file without a hash', { version: '999.0.0', url }, 'accepted', 1, true],
] as const)(
  '%s (%j), question %s: asked %i times, installed: %s',
  async (_, offer, outcome, asked, expected) => {
    proves('service-offers-program')
    const questions: string[] = []
    const audience = createWindowAudience(
      {
        askQuestion: async ({ text }) => {
          questions.push(text)
          return outcome
        },
        notifier: { show: async () => true },
        dialog: { show: async () => 'closed' },
      },
      'en',
    )
    expect(await isPermitted(offer, { yes: true, dryRun: false, audience })).toBe(expected)
    expect(questions).toHaveLength(asked)
  },
)
