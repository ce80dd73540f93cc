/** The documents in the admin console, in Chromium: from a page to the chapter that explains it, and on from there. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import {
  type Administration,
  expectAccessible,
  expectNoSidewaysScroll,
  startAdministration,
} from './administration.ts'

describe.runIf(existsSync(headlessProgram))('documents', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration()
  })
  afterAll(() => administration?.stop())

  test.each([true, false])(
    'a link of a page leads to the chapter, and links of the document to others, with scripts: %s',
    async (javaScriptEnabled) => {
      proves('documents-in-administration')
      const { page, faults } = await administration.openLoggedIn('versions', { javaScriptEnabled })
      await page.getByRole('link', { name: 'Release settings' }).press('Enter')
      const chapter = page.getByRole('heading', { level: 2, name: 'Change release settings' })
      await chapter.waitFor()
      const place = new URL(page.url())
      expect(place.pathname + place.hash).toBe('/admin/documents/deploy#change-release-settings')
      expect((await chapter.boundingBox())?.y).toBeLessThan(100)
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Run the service')

      await page.getByRole('link', { name: 'install.md' }).press('Enter')
      await page.getByRole('heading', { level: 2, name: 'Upgrade the connector' }).waitFor()
      expect(new URL(page.url()).hash).toBe('#upgrade-the-connector')

      const contents = page.getByRole('navigation', { name: 'Table of contents' })
      await contents.getByRole('link', { name: 'Remove the connector' }).press('Enter')
      await page.waitForURL(/\/admin\/documents\/install#remove-the-connector$/)
      expect(faults).toEqual([])
    },
  )

  test('the side leads to the list, and from there to a document, in the language of the user', async () => {
    proves('documents-in-administration')
    const { page, faults } = await administration.openLoggedIn('', { locale: 'de-DE' })
    await page.getByRole('link', { name: 'Dokumentation' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Dokumentation' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Connector settings' }).press('Enter')
    const heading = page.getByRole('heading', { level: 1, name: 'Connector settings' })
    await heading.waitFor()
    expect(await heading.getAttribute('lang')).toBe('en')
    expect(faults).toEqual([])
  })

  test.each(['light', 'dark'] as const)(
    'every document is accessible and no wider than a narrow window, in %s colors',
    async (colorScheme) => {
      proves('documents-in-administration')
      const { page, faults, goTo } = await administration.openLoggedIn('documents', {
        colorScheme,
        viewport: { width: 320, height: 640 },
      })
      const names = await page
        .locator('.documents a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
      expect(names).toHaveLength(10)
      for (const name of names) {
        await goTo(name ?? '')
        await expectNoSidewaysScroll(page)
        await expectAccessible(page, colorScheme)
      }
      expect(faults).toEqual([])
    },
  )
})
