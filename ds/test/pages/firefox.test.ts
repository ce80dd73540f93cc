/** The admin console in Firefox: in, every screen, a form, out. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFirefox, type ProofPage } from './proof-browsers.ts'
import { findAddress, screens } from './screens.ts'
import { type SeededService, startSeededService } from './seeded-service.ts'

describe('in Firefox', () => {
  let seeded: SeededService
  let visited: ProofPage
  beforeAll(async () => {
    seeded = await startSeededService()
    visited = await openFirefox(seeded.service, 'light')
  })
  afterAll(async () => {
    await visited?.close()
    await seeded?.service.stop()
  })

  test('somebody logs in, opens every screen, adds an organization and logs out', async () => {
    const { page, goTo, read, takeFaults, logIn } = visited
    await logIn()
    expect(await page.title()).toBe('Overview · Cardwire')
    for (const screen of screens.filter(({ isPublic }) => !isPublic)) {
      expect([screen.name, await goTo(findAddress(screen, seeded))]).toEqual([screen.name, 200])
      expect([screen.name, await takeFaults()]).toEqual([screen.name, []])
    }
    await goTo('organizations')
    await page.type('main form[method=post] input:not([type=hidden])', 'Added in Firefox')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    expect(await read('document.body.innerText')).toContain('Added in Firefox')
    await page.focus('form[action=logout] button')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    expect(await page.title()).toBe('Sign in · Cardwire')
    await goTo('organizations')
    expect(await page.title()).toBe('Sign in · Cardwire')
    expect(await takeFaults()).toEqual([])
  })
})
