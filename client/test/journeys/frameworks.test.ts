/** The components of docs/frameworks.md in Chromium, compiled as their frameworks do, with the test double behind them. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { compile } from 'svelte/compiler'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileScript, parse } from 'vue/compiler-sfc'
import { chromiumFlags, chromiumProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import { root } from '../../../test/bed/repository.ts'
import { openShop } from './shop.ts'
import { becomes } from './wait.ts'

let folder: string
let browser: Browser
beforeAll(async () => {
  // Below node_modules, so that the components find their packages.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, 'cardwire-frameworks-'))
  browser = await chromium.launch({ executablePath: chromiumProgram, args: [...chromiumFlags] })
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

const frameworks = {
  vue: {
    compile: (source: string) =>
      compileScript(parse(source).descriptor, { id: 'page', inlineTemplate: true }).content,
    mount: `import { createApp } from 'vue'
      createApp(Component).mount('#root')`,
  },
  svelte: {
    compile: (source: string) => compile(source, { generate: 'client' }).js.code,
    mount: `import { mount } from 'svelte'
      mount(Component, { target: document.getElementById('root') })`,
  },
} as const

test.each(Object.entries(frameworks))(
  'the component for %s goes all the way to the readers',
  async (name, framework) => {
    proves('framework-components')
    const guide = await readFile(join(root, 'docs/frameworks.md'), 'utf8')
    const [, source = ''] = new RegExp(`^\`\`\`${name}\\n(.*?)^\`\`\``, 'ms').exec(guide) ?? []
    const [, module = ''] = /^```js connection\.js\n(.*?)^```/ms.exec(guide) ?? []
    const place = join(folder, name)
    await mkdir(place)
    await Promise.all([
      writeFile(join(place, 'component.js'), framework.compile(source)),
      // The connection of the guide, which finds the test double.
      writeFile(
        join(place, 'connection.js'),
        module
          .replace('createConnection({', 'createConnection({ initialize: connector.initialize,')
          .replace(
            'import ',
            `import { createTestConnector } from '@cardwire/client/testing'
            const connector = createTestConnector({ readers: [{ id: 'a', name: 'Desk' }], consent: false })
            globalThis.connector = connector
            import `,
          ),
      ),
      writeFile(
        join(place, 'main.js'),
        `import Component from './component.js'\n${framework.mount}`,
      ),
    ])
    const shop = await openShop(() => 'a.b.c', {
      html: join(root, 'client/example/react/page.html'),
      entry: join(place, 'main.js'),
      scriptPath: '/main.js',
    })
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      permissions: ['clipboard-write'],
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.goto(`https://localhost:${shop.port}/`)
    await becomes(
      () => page.locator('h2').textContent(),
      'Allow this site to use your card reader?',
    )
    await page.locator('button').click()
    await becomes(async () => (await page.locator('li').textContent())?.trim(), 'Desk: no card')
    await page.evaluate('connector.insertCard("a", { atr: "3B00", description: ["A card"] })')
    await becomes(async () => (await page.locator('li').textContent())?.trim(), 'Desk: A card')
    await page.evaluate('connector.stop()')
    await becomes(() => page.locator('h2').textContent(), 'Cardwire isn’t running')
    expect(await page.locator('a').getAttribute('href')).toBe(
      'https://ds.example/v3/downloads/installer',
    )
    expect(errors).toEqual([])
    await context.close()
    await shop.close()
  },
)
