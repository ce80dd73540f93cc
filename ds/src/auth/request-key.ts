/** Whose API key a request has: the key is in it, or an API gateway before the service has checked it. */
import { consumerHeaders } from '@cardwire/protocol'
import type { Context } from 'hono'
import type { Database } from '../db/database.ts'
import type { Consumer, Gateway } from '../gateway/gateway.ts'
import { parseConsumer } from '../gateway/names.ts'
import { findKeyOwner, hasOwner } from '../gateway/owners.ts'
import type { Digest } from '../ports.ts'
import { isTrustedProxy } from '../rules/client-address.ts'
import type { Settings } from '../settings.ts'

interface RequestKeyServices {
  readonly settings: Settings
  readonly db: Database
  readonly digest: Digest
  readonly gateway: Gateway
  readonly getPeerAddress: (context: Context) => string
}

/** By which a gateway shows that it is the one. */
const secretHeader = 'x-gateway-secret'

/**
 * The owner of the key of a request; undefined when it has none that works. What a gateway says about it counts only with the secret
 * of the gateway and from a trusted proxy, and only for a key that works in the database, too. A request with a secret that is wrong
 * has no key, whatever else is in it.
 */
export async function findRequestOwner(
  services: RequestKeyServices,
  context: Context,
): Promise<Consumer | undefined> {
  const header = (name: string) => context.req.header(name)
  const sent = header(secretHeader)
  if (sent !== undefined) {
    if (!(await isFromGateway(services, context, sent))) return undefined
    const consumer = header(consumerHeaders.consumer)
    if (consumer !== undefined || header('x-anonymous-consumer') !== undefined)
      return findNamedOwner(services, consumer ?? '', header(consumerHeaders.credential) ?? '')
  }
  const key = header('apikey')
  return key === undefined || !services.settings.acceptsKeys
    ? undefined
    : findKeyOwner(services, key)
}

/** Not by the address only: it is that of every program on a machine, and of every proxy that is trusted. */
async function isFromGateway(
  { settings, digest, getPeerAddress }: RequestKeyServices,
  context: Context,
  sent: string,
): Promise<boolean> {
  const { gatewaySecret, trustProxy } = settings
  if (gatewaySecret === undefined || !isTrustedProxy(getPeerAddress(context), trustProxy))
    return false
  // Hashes: how many characters are right takes no time that depends on them.
  return (await digest(sent)) === (await digest(gatewaySecret))
}

async function findNamedOwner(
  { settings, db, gateway }: RequestKeyServices,
  name: string,
  credential: string,
): Promise<Consumer | undefined> {
  const consumer = parseConsumer(settings.gatewayTag, name)
  if (consumer === undefined) return undefined
  const works = await gateway.hasNamedKey?.(consumer, credential)
  return works && (await hasOwner(db, consumer)) ? consumer : undefined
}
