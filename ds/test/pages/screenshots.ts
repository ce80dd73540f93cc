/**
 * Pictures of the main screens of the admin console, light and dark, into docs/screenshots: a part of `npm run screenshots`.
 * For translators: `node ds/test/pages/screenshots.ts --language fr --to FOLDER [SCREEN …]`.
 */
import { join } from 'node:path'
import { startDistributionService } from '../../../test/bed/distribution-service.ts'
import { readPictureOptions } from '../../../test/bed/picture-options.ts'
import { openChromium, type ProofPage, viewports } from './proof-browsers.ts'
import { findAddress, type Screen, screens } from './screens.ts'
import { startSeededService } from './seeded-service.ts'

const { language, to, wanted } = readPictureOptions()
const narrow = ['overview', 'device-with-fault']
/** CSS pixels; what a longer page has below is not in its picture. */
const maxHeight = 800

/** CSS pixels around what a picture begins with. */
const margin = 24

/** `from`: the selector of what the picture begins with, where it is not the page. */
async function take(
  { page, read }: ProofPage,
  name: string,
  width: number,
  from?: string,
): Promise<void> {
  const path = join(to, `admin-${name}.png`) as `${string}.png`
  const height = await read<number>('document.documentElement.scrollHeight')
  const place = (side: string) =>
    read<number>(`document.querySelector('${from}').getBoundingClientRect().${side}`)
  const [x, y] =
    from === undefined ? [0, 0] : [(await place('left')) - margin, (await place('top')) - margin]
  const clip = { x, y, width: width - x, height: Math.min(height - y, maxHeight) }
  await page.screenshot({ path, clip, captureBeyondViewport: true })
}

const open = async (service: Parameters<typeof openChromium>[0], colors: 'light' | 'dark') => {
  const visited = await openChromium(service, colors)
  await visited.page.setExtraHTTPHeaders({ 'accept-language': language })
  return visited
}

const isWanted = ({ name, isMain }: Screen) =>
  wanted.length === 0 ? isMain === true : wanted.includes(name)

const seeded = await startSeededService('harbour-office')
// What the first steps are on a service that has nothing yet.
const empty = await startDistributionService()
try {
  for (const colors of ['light', 'dark'] as const) {
    const visited = await open(seeded.service, colors)
    try {
      for (const screen of screens.filter(isWanted)) {
        if (!screen.isPublic && !(await visited.readCookie())) await visited.logIn()
        await visited.page.setViewport(viewports['1280 px'])
        await visited.goTo(findAddress(screen, seeded))
        const { width } = viewports['1280 px']
        await take(visited, `${screen.name}-${colors}`, width, screen.from)
        if (!narrow.includes(screen.name)) continue
        await visited.page.setViewport(viewports['320 px'])
        await take(visited, `${screen.name}-narrow-${colors}`, viewports['320 px'].width)
      }
    } finally {
      await visited.close()
    }
    if (wanted.length > 0 && !wanted.includes('first-use')) continue
    const beginning = await open(empty, colors)
    await beginning.logIn()
    await take(beginning, `first-use-${colors}`, viewports['1280 px'].width)
    await beginning.close()
  }
} finally {
  await Promise.all([seeded.service.stop(), empty.stop()])
}
