/** A real OpenID issuer on loopback, with keys of its own. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose'

export interface OpenIdIssuer {
  readonly issuer: string
  /** Signs tokens with RS256; its `kid` is `one`. */
  readonly privateKey: CryptoKey
  stop(): void
}

export async function startOpenIdIssuer(): Promise<OpenIdIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/realm/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/certs` }))
    else if (request.url === '/realm/certs') response.end(JSON.stringify({ keys: [jwk] }))
    else response.writeHead(404).end('{}')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realm`
  return { issuer, privateKey, stop: () => server.close() }
}
