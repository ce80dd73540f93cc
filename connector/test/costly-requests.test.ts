/** What any page or program of this machine sends that is read before a token is asked for: it takes linear time. */
import { afterAll, expect, test } from 'vitest'
import { findCostly } from '../../test/bed/costly-requests.ts'
import { proves } from '../../test/bed/proves.ts'
import { detectBrowser } from '../src/api/detect-browser.ts'
import { createConsentSetup } from './consent/consent-setup.ts'
import { createPageServer } from './consent/page-server.ts'

const setup = createConsentSetup()
afterAll(() => setup.close())

test('every header, path and query of the API takes linear time, or less than 5 ms', async () => {
  proves('costly-header')
  const send = createPageServer(setup)
  const paths = ['/v3/agents', '/consent', '/agents/consent', '/v3/readers/events', '/none']
  const costly = await findCostly(paths, async ({ path, headers }) => {
    const page =
      headers['origin'] === undefined ? { headers } : { headers, origin: headers['origin'] }
    await send('GET', path, page)
    await send('OPTIONS', path, page)
    await send('GET', path, { headers, origin: null })
  })
  expect(costly).toEqual([])
})

test('every header takes linear time, or less than 5 ms, to say which browser it is', async () => {
  proves('costly-header')
  const costly = await findCostly(['/browser'], async ({ headers }) =>
    detectBrowser((name) => headers[name]),
  )
  expect(costly).toEqual([])
})
