/** The back end of the demonstration, and the addresses by which users open its page. */
import process from 'node:process'
import * as z from 'zod/mini'
import { formatAddress } from './banner.ts'
import { startOnPort } from './ports.ts'
import type { ProcessGroup, RunningProcess } from './processes.ts'
import type { Settings } from './settings.ts'

const AddressMessage = z.object({ address: z.url() })

/** How long it may take until it listens, in milliseconds. */
const readyWithinMs = 20_000

export interface RunningBackEnd {
  readonly process: RunningProcess
  /** The origin of the page. */
  readonly origin: string
  /** The first address that opens the page. The terminal gets the next one when it was used. */
  readonly address: string
}

interface BackEndOptions {
  readonly dsUrl: string
  readonly apiKey: string
  readonly registryPort: number
  readonly cardFile: string | undefined
  /** A PEM file with the authorities whose cards may sign in. */
  readonly roots: string | undefined
  /** A PEM file with their revocation lists. */
  readonly revocations: string | undefined
}

/** Resolves when it serves. */
export const startBackEnd = (
  processes: ProcessGroup,
  { ports, url, developer }: Settings,
  { dsUrl, apiKey, registryPort, cardFile, roots, revocations }: BackEndOptions,
): Promise<RunningBackEnd> =>
  startOnPort(ports.page, async (port) => {
    const first = Promise.withResolvers<string>()
    let isFirst = true
    const backEnd = processes.start({
      name: 'the example',
      program: process.execPath,
      args: ['client/example/back-end/main.ts'],
      environment: {
        EXAMPLE_PORT: String(port),
        EXAMPLE_URL: url,
        EXAMPLE_DS_URL: dsUrl,
        EXAMPLE_API_KEY: apiKey,
        EXAMPLE_REGISTRY_PORT: String(registryPort),
        EXAMPLE_CARD_FILE: cardFile,
        EXAMPLE_ROOTS: roots,
        EXAMPLE_REVOCATIONS: revocations,
        EXAMPLE_DEVELOPER: developer,
      },
      onMessage(message) {
        const { address } = z.parse(AddressMessage, message)
        if (isFirst) first.resolve(address)
        else process.stdout.write(formatNextAddress(address))
        isFirst = false
      },
    })
    await backEnd.waitForOutput({ pattern: /listening/, withinMs: readyWithinMs })
    const address = await first.promise
    return { process: backEnd, origin: new URL(url ?? `http://localhost:${port}`).origin, address }
  })

const formatNextAddress = (address: string) =>
  `\n  That address has been used. For another browser:\n\n${formatAddress(address)}\n`
