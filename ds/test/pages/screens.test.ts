/** Every screen once, in Chromium; the rest of what is proven of them is `npm run admin-tests -w ds`. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { navigation } from '../../src/pages/frame/navigation.ts'
import { startInProcess } from '../harness/in-process.ts'
import {
  examineAccessibility,
  examineContent,
  examineGrowth,
  examineSecrets,
  findRepeated,
} from './examine-page.ts'
import { openChromium, type ProofPage } from './proof-browsers.ts'
import { findAddress, otherRoutes, screens } from './screens.ts'
import { type SeededService, startSeededService } from './seeded-service.ts'

const isKnown = (route: string) => screens.some((screen) => screen.route === route)

test('the list of screens has every screen of the navigation', () => {
  const links = navigation.flatMap((group) => group.links.map(({ to }) => to))
  expect(links.filter((to) => !isKnown(to))).toEqual([])
})

test('the list of screens has every page that the service answers with', async () => {
  const ds = await startInProcess()
  const routes = ds.routes
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/admin'))
    .map(({ path }) => path.replace(/^\/admin\/?/, ''))
    .filter((route) => !otherRoutes.some((other) => other.test(route)))
  await ds.stop()
  expect(routes.length).toBeGreaterThan(5)
  expect([...new Set(routes)].filter((route) => !isKnown(route))).toEqual([])
})

describe.runIf(existsSync(headlessProgram))('in Chromium', () => {
  let seeded: SeededService
  let visited: ProofPage
  beforeAll(async () => {
    seeded = await startSeededService()
    visited = await openChromium(seeded.service, 'light')
  })
  afterAll(async () => {
    await visited?.close()
    await seeded?.service.stop()
  })

  test('every screen is without a fault of axe, the console and the policy, with a title of its own', async () => {
    const titles = new Map<string, string>()
    const found: Record<string, readonly string[]> = {}
    for (const screen of screens) {
      if (!screen.isPublic && !(await visited.readCookie())) await visited.logIn()
      const status = await visited.goTo(findAddress(screen, seeded))
      titles.set(new URL(visited.page.url()).pathname, await visited.page.title())
      const findings = [
        ...(status === 200 ? [] : [`status ${status}`]),
        ...(await examineContent(visited, screen)),
        ...(await examineSecrets(visited, seeded.secrets)),
        ...(await examineAccessibility(visited)),
        ...(await visited.takeFaults()),
        ...(await examineGrowth(visited)),
      ]
      if (findings.length > 0) found[screen.name] = findings
    }
    expect(found).toEqual({})
    expect(findRepeated(titles.values())).toEqual([])
  })
})
