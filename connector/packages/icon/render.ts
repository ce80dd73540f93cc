/** Draws cardwire.svg in every size, as PNG beside it: `npm run icon -w connector`, after a change of the drawing. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { chromiumFlags, chromiumProgram } from '../../../test/bed/chromium.ts'
import { findIcon, iconSizes } from './icon.ts'

async function main(): Promise<void> {
  const drawing = (await readFile(findIcon('svg'))).toString('base64')
  const browser = await chromium.launch({
    executablePath: chromiumProgram,
    args: [...chromiumFlags],
  })
  const page = await browser.newPage()
  for (const size of iconSizes) {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(
      `<body style="margin:0"><img width="${size}" height="${size}" style="display:block" src="data:image/svg+xml;base64,${drawing}">`,
    )
    await page.screenshot({ path: fileURLToPath(findIcon(size)), omitBackground: true })
  }
  await browser.close()
}

main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
