/** The initialisation of the specification, step by step. */
import type { Prompting } from './attempt.ts'
import { connect, createClient } from './client.ts'
import { addressOf, type Configuration, type Place, readConfiguration } from './configuration.ts'
import { consentFlow } from './consent.ts'
import { consentRequired } from './consent-required.ts'
import type { CallOptions, CardwireClient } from './core-service.ts'
import * as endpoints from './endpoints.ts'
import { CardwireError, whileInitialising } from './error.ts'
import type { Ports } from './ports.ts'
import type { Info } from './protocol/connector-system.ts'
import { openSession, type Session } from './session.ts'
import { tokenHolder } from './token.ts'

export interface InitializeOptions extends CallOptions, Prompting {
  /** Fetches another token from the back end, when the connector refuses the one in force; the call is then repeated. */
  readonly onTokenExpired?: (() => Promise<string>) | undefined
}

/** Milliseconds in which a registry says who it is. */
const infoTimeoutMs = 5000

export async function initializeWith(
  ports: Ports,
  configuration: Configuration,
  options: InitializeOptions,
): Promise<CardwireClient> {
  const settings = readConfiguration(configuration)
  const token = tokenHolder(settings.jwt, options.onTokenExpired)
  const session = openSession(ports, settings, token, options)
  try {
    // Which of the places answers? A connector that knows this page says so itself.
    const { registry, info } = await findRegistry(session, options)
    const flow = consentFlow(session, registry)
    if (info.t1CInfoAPI.service.deviceType === 'API') {
      return createClient(session, flow, 'connector')
    }

    // 1, 2. Consents from the storage, if there are any, are validated, and the fresh list replaces them.
    const port = await flow.validate(options)

    // 3, 4. Without one the page asks the person, and goes on with `getConsent` of the client in the error.
    if (port === undefined) throw consentRequired(createClient(session, flow, 'registry'), flow)

    // 5. The consent names the port of the person's connector, which answers /info.
    return await connect(session, flow, port, options)
  } catch (error) {
    throw whileInitialising(error)
  }
}

/** The first place that answers. When none does, the most telling failure is thrown. */
async function findRegistry(
  session: Session,
  { signal }: CallOptions,
): Promise<{ readonly registry: Place; readonly info: Info }> {
  const failures: unknown[] = []
  for (const registry of session.settings.registries) {
    const how = { address: addressOf(registry), timeoutMs: infoTimeoutMs, signal, signed: false }
    try {
      return { registry, info: await session.ask(endpoints.getInfo, {}, how) }
    } catch (error) {
      failures.push(error)
      if (signal?.aborted || !mayDifferElsewhere(error)) break
    }
  }
  throw failures.find((error) => !isNotRunning(error)) ?? failures[0]
}

const isNotRunning = (error: unknown): boolean =>
  CardwireError.is(error) && error.reason === 'not-running'

/** What the browser decides about the page is the same for every place. */
const mayDifferElsewhere = (error: unknown): boolean =>
  CardwireError.is(error) &&
  !error.reason.startsWith('permission-') &&
  error.reason !== 'page-insecure'
