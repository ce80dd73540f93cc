/** Every screen in both browsers, both colors and three sizes; by the keyboard; and without scripts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  examineAccessibility,
  examineContent,
  examineFocus,
  examineSecrets,
  findRepeated,
} from '../test/pages/examine-page.ts'
import {
  type Colors,
  openChromium,
  openFirefox,
  type ProofPage,
  viewports,
} from '../test/pages/proof-browsers.ts'
import { findAddress, type Screen, screens } from '../test/pages/screens.ts'
import { type SeededService, startSeededService } from '../test/pages/seeded-service.ts'
import { followLinks, sendForms } from './follow-page.ts'
import { createResults } from './results.ts'

const browsers = { Chromium: openChromium, Firefox: openFirefox } as const
const results = createResults()
afterAll(() => process.stdout.write(`${results.describe()}\n`))

describe.each(Object.entries(browsers))('in %s', (name, open) => {
  let seeded: SeededService
  let visited: ProofPage

  /** Examines every screen, whoever it is that sees it. */
  const visit = async (
    what: string,
    examine: (screen: Screen) => Promise<readonly string[]>,
  ): Promise<void> => {
    for (const screen of screens) {
      if (!screen.isPublic && !(await visited.readCookie())) await visited.logIn()
      const status = await visited.goTo(findAddress(screen, seeded))
      const findings = [
        ...(status === 200 ? [] : [`status ${status}`]),
        ...(await examine(screen)),
        ...(await visited.takeFaults()),
      ]
      results.add(`${name}, ${what}`, screen.name, findings)
    }
    expect(results.find(`${name}, ${what}`)).toEqual({})
  }

  describe.each(['light', 'dark'] satisfies Colors[])('%s', (colors) => {
    beforeAll(async () => {
      seeded = await startSeededService()
      visited = await open(seeded.service, colors)
    })
    afterAll(async () => {
      await visited?.close()
      await seeded?.service.stop()
    })

    test.each(Object.entries(viewports))('at %s every screen is whole', async (size, viewport) => {
      await visited.page.setViewport(viewport)
      const titles = new Map<string, string>()
      await visit(`${colors}, ${size}`, async (screen) => {
        const secrets = [...seeded.secrets, await visited.readCookie()].filter(Boolean)
        const { pathname } = new URL(visited.page.url())
        titles.set(pathname, await visited.page.title())
        return [
          ...(await examineContent(visited, screen)),
          ...(await examineSecrets(visited, secrets)),
          ...(await examineAccessibility(visited)),
        ]
      })
      expect(findRepeated(titles.values())).toEqual([])
    })

    test('the keyboard reaches every control, and shows where it is', async () => {
      await visited.page.setViewport(viewports['1280 px'])
      await visit(`${colors}, keyboard`, () => examineFocus(visited))
    })
  })

  test('without scripts every link and every form works, by the keyboard', async () => {
    seeded = await startSeededService()
    visited = await open(seeded.service, 'light')
    try {
      await visited.stopScripts()
      const followed = new Set<string>()
      await visit('no scripts, links', () => followLinks(visited, seeded.service, followed))
      await visit('no scripts, forms', (screen) =>
        sendForms(visited, seeded.service, findAddress(screen, seeded)),
      )
    } finally {
      await visited.close()
      await seeded.service.stop()
    }
  })
})
