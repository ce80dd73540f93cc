/** A connector with a card in its virtual reader, whose user has consented to one page. */
import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Connector, createHome, homePaths, startConnector } from '../../bed/connector.ts'
import { startDisplay } from '../../bed/display.ts'
import { findFreePort } from '../../bed/free-port.ts'
import { type HttpsResponse, requestHttps } from '../../bed/https-client.ts'
import { giveConsent } from '../../bed/page.ts'
import { createTokenSigner } from '../../bed/token-signer.ts'
import { origins } from './connector-samples.ts'

export interface ConnectorOfUser {
  readonly connector: Connector
  readonly home: string
  readonly registryPort: number
  /** Of the page with consent. */
  readonly consent: string
  readonly codeWord: string
  /** The root certificate of now, PEM. */
  ca(): string
  /** An application token. */
  token(): string
  /** Sends a request without a token of its own; to the API, unless a port is given. */
  ask(
    path: string,
    headers: Record<string, string>,
    body?: object,
    port?: number,
  ): Promise<HttpsResponse>
  dispose(): Promise<void>
}

/** Milliseconds after which a token is signed anew: it lives 20 minutes. */
const renewAfterMs = 300_000

export async function startConnectorOfUser(): Promise<ConnectorOfUser> {
  const [display, home, registryPort] = await Promise.all([
    startDisplay(),
    createHome(),
    findFreePort(),
  ])
  const signer = await createTokenSigner(home)
  writeFileSync(join(home, 'card'), '3B00')
  const connector = await startConnector(
    {
      ...display.settings,
      CARDWIRE_CORS: 'https://*.pages.example',
      CARDWIRE_JWKS: signer.jwks,
      CARDWIRE_REGISTRY_PORT: String(registryPort),
      CARDWIRE_VIRTUAL_READER: join(home, 'card'),
    },
    home,
  )
  await connector.waitForOutput(/registry found/)
  const ca = () => readFileSync(join(homePaths(home).certificates, 'rootCA.pem'), 'utf8')
  const ask: ConnectorOfUser['ask'] = (path, headers, body, port = connector.port) =>
    requestHttps(port, ca(), path, {
      token: null,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const { codeWord, consent } = await giveConsent(display.copy, (path, body) =>
    ask(path, { origin: origins.consented }, body),
  )
  let signed = { token: signer.token(), until: Date.now() + renewAfterMs }
  return {
    ...{ connector, home, registryPort, consent, codeWord, ca, ask },
    token() {
      if (signed.until < Date.now())
        signed = { token: signer.token(), until: Date.now() + renewAfterMs }
      return signed.token
    },
    async dispose() {
      await connector.stop()
      await display.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
