/** The test double and the compiled connector keep the same promises: one suite, run against each of them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { createHttpsFetch } from '../../../test/bed/https-fetch.ts'
import { createTokenSigner, type TokenSigner } from '../../../test/bed/token-signer.ts'
import { initializeWith } from '../../src/initialize.ts'
import { createTestConnector, createTestToken } from '../../src/testing/index.ts'
import { openPage, pageFetch } from '../harness/page.ts'
import { type Connector, startConnector } from './connector.ts'
import { testConnector } from './connector-suite.ts'

describe('the test double', () => {
  testConnector(async () => {
    const connector = createTestConnector({ readers: [{}], consent: false, requiresToken: true })
    const [{ id } = { id: '' }] = connector.readers()
    return {
      initialize: connector.initialize,
      token: createTestToken,
      copy: async (text) => connector.setClipboard(text),
      insert: async (atr) => void connector.insertCard(id, { atr }),
      remove: async () => void connector.removeCard(id),
      revokeConsent: async () => connector.revokeConsent(),
    }
  })
})

describe('the compiled connector', () => {
  let folder: string
  let display: Display
  let signer: TokenSigner
  let connector: Connector
  let pages = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardwire-double-'))
    display = await startDisplay()
    signer = await createTokenSigner(folder)
    connector = await startConnector({
      ...display.settings,
      CARDWIRE_CORS: 'https://*.shop.example',
      CARDWIRE_JWKS: signer.jwks,
    })
  })
  afterAll(async () => {
    await connector?.close()
    await display?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  testConnector(async () => {
    pages += 1
    const origin = `https://page-${pages}.shop.example`
    const { ports } = openPage({
      fetch: pageFetch(origin, createHttpsFetch(connector.root)),
      schedule(ms, act) {
        const timer = setTimeout(act, ms)
        return () => clearTimeout(timer)
      },
    })
    return {
      initialize: (configuration = {}, options = {}) =>
        initializeWith(ports, { ...configuration, t1cApiPort: connector.registryPort }, options),
      token: (lifetimeS) => signer.token(lifetimeS),
      copy: (text) => display.copy(text),
      insert: connector.insert,
      remove: connector.remove,
      revokeConsent: () => connector.command('consents', 'revoke', origin),
    }
  })
})
