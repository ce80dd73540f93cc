/** The initialization of the specification, step by step. */

import { connectToPort, createClient } from './client.ts'
import { type Configuration, type Endpoint, readConfiguration, toAddress } from './configuration.ts'
import { createConsentError, createConsentFlow } from './consent.ts'
import type { CallOptions, CardwireClient } from './core-service.ts'
import * as endpoints from './endpoints.ts'
import { CardwireError, toInitializationError } from './error.ts'
import type { Info } from './info.ts'
import type { InitializeOptions } from './initialize-options.ts'
import type { Ports } from './ports.ts'
import { createSession, type Session } from './session.ts'
import { createTokenStore } from './token.ts'

/** Milliseconds in which a registry has to answer /info. */
const infoTimeoutMs = 5000

export async function initializeWith(
  ports: Ports,
  configuration: Configuration,
  options: InitializeOptions,
): Promise<CardwireClient> {
  const settings = readConfiguration(configuration)
  const token = createTokenStore(settings.jwt, options.onTokenExpired)
  const session = createSession(ports, settings, token, options)
  try {
    // A connector that knows this page may answer at the registry's address: then the page has consent already.
    const { registry, info } = await findRegistry(session, options)
    const flow = createConsentFlow(session, registry)
    if (info.t1CInfoAPI.service.deviceType === 'API') {
      return createClient(session, flow, 'connector')
    }

    // 1, 2. Stored consents, if there are any, are validated, and the list in the answer replaces them.
    const port = await flow.validate(options)

    // 3, 4. Without one the page asks the user, and goes on with `getConsent` of the client in the error.
    if (port === undefined) throw createConsentError(createClient(session, flow, 'registry'), flow)

    // 5. The consent names the port of the user's connector, which answers /info.
    return await connectToPort(session, flow, port, options)
  } catch (error) {
    throw toInitializationError(error)
  }
}

/** The first registry that answers. When none does, throws the failure that says most. */
async function findRegistry(
  session: Session,
  { signal }: CallOptions,
): Promise<{ readonly registry: Endpoint; readonly info: Info }> {
  const failures: unknown[] = []
  for (const registry of session.settings.registries) {
    const target = { address: toAddress(registry), timeoutMs: infoTimeoutMs, signal, signed: false }
    try {
      return { registry, info: await session.call(endpoints.getInfo, {}, target) }
    } catch (error) {
      failures.push(error)
      if (signal?.aborted || !isEndpointSpecific(error)) break
    }
  }
  throw failures.find((error) => !isNotRunning(error)) ?? failures[0]
}

const isNotRunning = (error: unknown): boolean =>
  CardwireError.is(error) && error.reason === 'not-running'

/** A decision of the browser about the page is the same for every address. */
const isEndpointSpecific = (error: unknown): boolean =>
  CardwireError.is(error) &&
  !error.reason.startsWith('permission-') &&
  error.reason !== 'page-insecure'
