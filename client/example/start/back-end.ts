/** The back end of the demonstration, and the addresses by which users open its page. */
import process from 'node:process'
import * as z from 'zod/mini'
import { formatAddress } from './banner.ts'
import type { ProcessGroup, RunningProcess } from './processes.ts'
import type { Settings } from './settings.ts'

const AddressMessage = z.object({ address: z.url() })

/** Resolves when it serves: the terminal then has the banner with the first address, and gets the next when one was used. */
export async function startBackEnd(
  processes: ProcessGroup,
  { port, registryPort, roots, developer }: Settings,
  facts: {
    readonly dsUrl: string
    readonly apiKey: string
    readonly cardFile: string | undefined
  },
  formatBanner: (address: string) => string,
): Promise<RunningProcess> {
  const first = Promise.withResolvers<string>()
  let isFirst = true
  const backEnd = processes.start({
    name: 'the example',
    program: process.execPath,
    args: ['client/example/back-end/main.ts'],
    environment: {
      EXAMPLE_PORT: String(port),
      EXAMPLE_DS_URL: facts.dsUrl,
      EXAMPLE_API_KEY: facts.apiKey,
      EXAMPLE_REGISTRY_PORT: String(registryPort),
      EXAMPLE_CARD_FILE: facts.cardFile,
      // The connector writes it beside the file that stands for its virtual card.
      EXAMPLE_ROOTS: roots ?? (facts.cardFile && `${facts.cardFile}.authority.pem`),
      EXAMPLE_DEVELOPER: developer,
    },
    onMessage(message) {
      const { address } = z.parse(AddressMessage, message)
      if (isFirst) first.resolve(address)
      else process.stdout.write(formatNextAddress(address))
      isFirst = false
    },
  })
  await backEnd.waitForOutput(/listening/)
  process.stdout.write(formatBanner(await first.promise))
  return backEnd
}

const formatNextAddress = (address: string) =>
  `\n  That address has been used. For another browser:\n\n${formatAddress(address)}\n`
