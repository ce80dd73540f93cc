/** The page of a shop, whose requests a connector gets as a browser sends them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { homePaths } from '../../../../test/bed/connector.ts'
import type { Display } from '../../../../test/bed/display.ts'
import { requestHttps } from '../../../../test/bed/https-client.ts'
import { asPage, giveConsent } from '../../../../test/bed/page.ts'

export const shop = 'https://shop.example'

/** Asks the connector that runs for this home. */
export async function askAsShop(home: string, path: string, body?: object) {
  const { runtime, certificates } = homePaths(home)
  const port = Number(await readFile(join(runtime, 'api-port'), 'utf8'))
  const ca = await readFile(join(certificates, 'rootCA.pem'), 'utf8')
  return requestHttps(port, ca, path, asPage(shop, body))
}

/** Has the user consent: the code word is on the clipboard of the display. */
export async function askForConsent(home: string, display: Display): Promise<void> {
  await giveConsent(display.copy, (path, body) => askAsShop(home, path, body))
}
