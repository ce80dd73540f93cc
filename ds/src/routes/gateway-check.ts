/** Forward authentication: a reverse proxy asks whether the API key of its client is valid. */
import {
  checkApplicationKey,
  checkRegistrationKey,
  consumerHeaders,
  type Operation,
} from '@cardwire/protocol'
import type { Context, Hono } from 'hono'
import type { Caller } from '../auth/authorize.ts'
import { createGatewayCheck } from '../auth/gateway-check.ts'
import type { Consumer } from '../gateway/gateway.ts'
import { nameConsumer } from '../gateway/names.ts'
import type { AppEnv } from '../http/bind.ts'
import type { Services } from '../services.ts'

type Authorize = (operation: Operation, context: Context<AppEnv>) => Promise<Caller>

/**
 * Envoy sends the method of its client, and adds the path of its client to the one that it asks; Caddy adds the query. Nothing of
 * them counts.
 */
export function addGatewayRoutes(
  app: Hono<AppEnv>,
  services: Services,
  authorize: Authorize,
): void {
  const check = createGatewayCheck(services)
  const add = (operation: Operation, kind: Consumer['kind']): void => {
    app.all(`${operation.path}/*`, async (context) => {
      context.set('operation', operation)
      context.set('caller', await authorize(operation, context))
      const { consumer, credential } = await check(kind, context)
      return context.body(null, 200, {
        [consumerHeaders.consumer]: nameConsumer(services.settings.gatewayTag, consumer),
        [consumerHeaders.credential]: credential,
        [consumerHeaders.kind]: consumer.kind,
      })
    })
  }
  add(checkApplicationKey, 'application')
  add(checkRegistrationKey, 'registration')
}
