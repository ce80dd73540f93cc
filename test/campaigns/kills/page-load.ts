/** Pages that list readers, wait for cards and validate their consents, and judge every answer. */
import type { HttpsResponse } from '../../bed/https-client.ts'
import { attempt } from './attempt.ts'
import type { Connectors, Page } from './connectors.ts'
import type { Results } from './results.ts'

export interface PageLoad {
  stop(): Promise<void>
}

/** Milliseconds in which a page knows where it stands (docs/conformance.md). */
const deadlineMs = 5000
/** Seconds that a page waits for a card. */
const detectionS = 1

export function startPageLoad({ pages, truth }: Connectors, results: Results): PageLoad {
  let isEnding = false

  /** 200, or a 503 that says why. */
  const judge = (what: string, { status, text, json }: HttpsResponse): boolean => {
    const isExpected = status === 200 || (status === 503 && typeof json?.description === 'string')
    results.check('no-defect', isExpected, () => `${what}: ${status} ${text}`)
    if (status === 503) results.count(`${what}: 503 ${json?.description}`)
    return status === 200
  }
  const listReaders = async (page: Page) => {
    const sentAt = performance.now()
    const response = await attempt(results, 'readers listed', deadlineMs, () =>
      page.ask('/v3/readers'),
    )
    if (!response || !judge('readers', response)) return
    const fault = truth.findFault(response.json.data, sentAt, performance.now())
    results.check('listing-true', fault === undefined, () => `${fault}`)
  }
  const detectCard = async (page: Page) => {
    const path = `/v3/readers/detect-card?timeout=${detectionS}`
    const ms = deadlineMs + detectionS * 1000
    const response = await attempt(results, 'card waited for', ms, () => page.ask(path))
    if (response) judge('detection', response)
  }
  const validate = async ({ askRegistry, consent }: Page) => {
    const response = await attempt(results, 'consent validated', deadlineMs, () =>
      askRegistry('/v3/validate', { consents: [consent] }),
    )
    if (!response || !judge('consent', response)) return
    const { consentState } = response.json.data
    results.check('listing-true', consentState === 'APPROVED', () => `consent is ${consentState}`)
  }
  const findConnectors = async ({ askRegistry, apiPort }: Page) => {
    const response = await attempt(results, 'connectors listed', deadlineMs, () =>
      askRegistry('/v3/agents'),
    )
    if (!response || !judge('connectors', response)) return
    const ports: readonly string[] = response.json.data.map(
      (one: { apiPort: string }) => one.apiPort,
    )
    const isTrue = ports.every((port) => port === String(apiPort))
    results.check('listing-true', isTrue, () => `connectors on ports ${ports} are listed`)
  }
  const repeat = async (page: Page, ask: (page: Page) => Promise<void>) => {
    // A port where nobody listens refuses at once: without a pause the load would be nothing else.
    while (!isEnding) await Promise.all([ask(page), new Promise((done) => setTimeout(done, 5))])
  }
  const load = pages.flatMap((page) =>
    [listReaders, listReaders, detectCard, validate, findConnectors].map((ask) =>
      repeat(page, ask),
    ),
  )
  return {
    async stop() {
      isEnding = true
      await Promise.all(load)
    },
  }
}
