/** Every page in every language: it says which, and has no English sentence in another one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openPageSession, type PageSession, usePageSession } from '../harness/page-session.ts'
import { findAddress, type Screen, screens } from './screens.ts'
import { type SeededService, startSeededService } from './seeded-service.ts'

let seeded: SeededService
let session: PageSession
/** By screen: its sentences in English. */
const english = new Map<string, ReadonlySet<string>>()
beforeAll(async () => {
  seeded = await startSeededService()
  session = await openPageSession(seeded.service)
  for (const screen of screens) {
    const { text } = await openScreen(screen, 'en')
    english.set(screen.name, new Set(findSentences(text)))
  }
})
afterAll(() => seeded?.service.stop())

const open = (to: string, language: string, cookie = session.cookie) =>
  seeded.service.request('GET', to === '' ? '/admin' : `/admin/${to}`, {
    headers: { cookie, 'accept-language': language },
  })

const openScreen = (screen: Screen, language: string) =>
  open(findAddress(screen, seeded), language, screen.isPublic ? '' : session.cookie)

/** Documents and their titles, which say that they are in English. */
const documents = /<(a|div|h1|ul) [^>]*\blang="en".*?<\/\1>/gs

/** The texts of its elements that have two words or more. */
const findSentences = (page: string): readonly string[] =>
  [
    ...page
      .replaceAll(/<(script|style|code|pre)\b.*?<\/\1>/gs, '')
      .replaceAll(documents, '')
      .matchAll(/>([^<>]+)</g),
  ]
    .map(([, text = '']) => text.trim())
    .filter((text) => /\p{L}{2,} \p{L}{2,}/u.test(text))

/**
 * What the seeded service calls its things, the title of a document, names of systems, and messages of the API, which are for
 * developers.
 */
const isData = (text: string) =>
  /Oasis|Run the service|onerror|Branch Counter|Front desks|Web Shop|Example Bank|sha256:|Windows|macOS|^Cannot /.test(
    text,
  )

describe.each([
  ['nl', 'nl-BE,nl;q=0.9,en;q=0.5'],
  ['fr', 'fr-BE'],
  ['de', 'sv,de-AT;q=0.8'],
])('%s', (language, accepted) => {
  test('every screen is in it', async () => {
    proves('administration-languages')
    const left: Record<string, readonly string[]> = {}
    for (const screen of screens) {
      const { status, text } = await openScreen(screen, accepted)
      expect([screen.name, status]).toEqual([screen.name, 200])
      expect(text).toContain(`<html lang="${language}">`)
      const same = findSentences(text).filter((each) => english.get(screen.name)?.has(each))
      const sentences = same.filter((each) => !isData(each))
      if (sentences.length > 0) left[screen.name] = sentences
    }
    expect(left).toEqual({})
  })
})

test('the language chosen in the account is that of this browser, until it is given up', async () => {
  proves('administration-languages')
  const chosen = await session.post('account/language', { language: 'fr' })
  expect(chosen.status).toBe(303)
  const [cookie = ''] = (chosen.headers.get('set-cookie') ?? '').split(';')
  const both = `${session.cookie}; ${cookie}`
  expect((await open('account', 'nl', both)).text).toContain('<html lang="fr">')
  expect((await open('login', 'nl', cookie)).text).toContain('<html lang="fr">')
  const given = await session.post('account/language', { language: '' })
  expect(given.headers.get('set-cookie')).toMatch(/^language=; Max-Age=0/)
  expect((await session.post('account/language', { language: 'xx' })).status).toBe(303)
})

test.each([
  ['en', 'This organization still has applications. Remove them first.'],
  ['nl', 'Deze organisatie heeft nog toepassingen. Verwijder die eerst.'],
  ['fr', 'Cette organisation a encore des applications. Supprimez-les d’abord.'],
  ['de', 'Diese Organisation hat noch Anwendungen. Entfernen Sie diese zuerst.'],
])('a change that is refused says why in %s, and what the API says', async (language, sentence) => {
  proves('administration-languages')
  const { service, organization } = seeded
  const { post } = usePageSession(service, `${session.cookie}; language=${language}`)
  const answer = await post(`organizations/${organization}/remove`, { confirm: 'Example Bank' })
  expect(answer.status).toBe(409)
  expect(answer.text).toContain(`<p>${sentence}</p>`)
  expect(answer.text).toMatch(/<p class="soft" lang="en">Cannot remove .*it has labels/)
})

test.each([['xx'], ['*'], ['nl;q=0'], [''], ['en-GB, nl']])(
  'a page for a browser that asks for %j is in English',
  async (accepted) => {
    proves('administration-languages')
    expect((await open('login', accepted, '')).text).toContain('<html lang="en">')
  },
)
