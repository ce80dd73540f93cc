/** The page of a shop, whose requests a connector gets as a browser sends them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { homePaths } from '../../../../test/bed/connector.ts'
import type { Display } from '../../../../test/bed/display.ts'
import { requestHttps } from '../../../../test/bed/https-client.ts'

export const shop = 'https://shop.example'

/** Asks the connector that runs for this home. */
export async function askAsShop(home: string, path: string, body?: object) {
  const { runtime, certificates } = homePaths(home)
  const port = Number(await readFile(join(runtime, 'api-port'), 'utf8'))
  const ca = await readFile(join(certificates, 'rootCA.pem'), 'utf8')
  return requestHttps(port, ca, path, {
    method: body ? 'POST' : 'GET',
    ...(body && { body: JSON.stringify(body) }),
    headers: {
      origin: shop,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
      ...(body && { 'content-type': 'application/json' }),
    },
  })
}

/** Has the person consent: the code word is on the clipboard of the display. */
export async function askForConsent(home: string, display: Display): Promise<void> {
  const codeWord = `::t1c::miksa::${crypto.randomUUID().replaceAll('-', '')}`
  await display.copy(codeWord)
  const { json } = await askAsShop(home, '/v3/consent', { codeWord })
  if (json.data?.consentState !== 'APPROVED') throw new Error('The shop got no consent')
}
