/** Sends requests to webhooks on Node and Deno. The address that is connected to is the one that was checked. */
import { lookup as resolve } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { WebhookFault } from '@cardwire/protocol'
import type { PostWebhook } from '../ports.ts'
import { findAddressFault, isAllowedAddress, isLoopback } from '../rules/webhook-address.ts'
import type { Settings } from '../settings.ts'

/** The most that is read of a response, in bytes: nothing is done with it, but a connection that is cut off looks like a fault. */
const maxResponseBytes = 16 * 1024

class RefusedAddressError extends Error {
  readonly code = 'REFUSED_ADDRESS'
}

export function createWebhookPost({
  webhookPrivateAddresses: allowsPrivate,
}: Pick<Settings, 'webhookPrivateAddresses'>): PostWebhook {
  return ({ url, headers, body, signal }) =>
    new Promise((done) => {
      // Of an address in place of a name, nothing is looked up.
      if (findAddressFault(url, allowsPrivate) !== undefined)
        return done({ reason: 'address-refused' })
      const isSecure = url.startsWith('https:')
      const isAllowed = (address: string) =>
        isAllowedAddress(address, allowsPrivate) && (isSecure || isLoopback(address))
      const send = isSecure ? requestHttps : requestHttp
      const request = send(
        url,
        {
          method: 'POST',
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          lookup: createLookup(isAllowed),
          // A separate connection, and none that was checked for another request.
          agent: false,
          maxHeaderSize: maxResponseBytes,
          signal,
        },
        (response) => {
          done({ status: response.statusCode ?? 0 })
          discard(response)
        },
      )
      request.once('error', (error) => done({ reason: readFault(error, signal) }))
      // After the response: its connection may fail while the rest is read.
      request.on('error', () => undefined)
      request.end(body)
    })
}

/** Resolves a name once, and refuses it if any of its addresses is not allowed. */
const createLookup =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isAllowed(address)))
        return done(new RefusedAddressError(`${hostname} has an address that is not allowed`), '')
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }

function discard(response: IncomingMessage): void {
  let bytes = 0
  response.on('error', () => undefined)
  response.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > maxResponseBytes) response.destroy()
  })
}

function readFault(error: NodeJS.ErrnoException, signal: AbortSignal): WebhookFault {
  if (signal.aborted) return 'timeout'
  const { code = '' } = error
  if (code === 'REFUSED_ADDRESS') return 'address-refused'
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return 'name-unknown'
  if (/TLS|SSL|CERT|EPROTO|UNABLE_TO|SIGNED|ISSUER/.test(code)) return 'tls-failed'
  return 'connection-failed'
}
