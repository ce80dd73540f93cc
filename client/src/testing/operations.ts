/** What the simulated connector answers: one entry for each operation that the client calls. */
import * as contract from '@cardwire/protocol'
import { createCardOperations } from './card-operations.ts'
import { createFileOperations } from './file-operations.ts'
import type { Machine } from './machine.ts'
import { createRawOperations } from './raw-operations.ts'
import { createReaderOperations } from './reader-operations.ts'
import { type BoundOperation, bind } from './responder.ts'
import { createProblem } from './table-problem.ts'
import type { TestFolder } from './test-types.ts'
import type { User } from './user.ts'

/** The version that the simulated connector has. */
const version = '4.0.0'

/** In the order in which they match. */
export function createOperations(
  machine: Machine,
  user: User,
  {
    origin,
    folders,
  }: { readonly origin: string; readonly folders: Readonly<Record<string, TestFolder>> },
): readonly BoundOperation[] {
  return [
    bind(contract.getInfo, async (_, { isRegistry, headers }) => {
      const isWhole = !isRegistry && user.hasConsented() && user.acceptsToken(headers)
      const data: contract.Info = {
        t1CInfoAPI: {
          service: { deviceType: isWhole ? 'API' : 'PROXY', dsRegistryActivated: false },
          version,
          status: 'ACTIVATED',
          optionalConsent: false,
        },
        t1CInfoUser: { hostName: 'test-machine' },
      }
      return { success: true as const, data, ...data }
    }),
    bind(contract.getDeviceKey, async () => ({ data: testKey })),
    bind(contract.getConnectorVersion, async () => ({ data: { version } })),
    bind(contract.validateConsents, async ({ body }) => {
      const consents = 'data' in body ? [body.data] : body.consents
      const consent = user.renewConsent(consents)
      return consent === undefined
        ? { data: { consentState: 'REQUIRED' as const, consents: [] } }
        : { data: { consentState: 'APPROVED' as const, consents: [consent], consent } }
    }),
    bind(contract.requestConsent, async ({ body: { codeWord } }) => {
      const retryAfterS = user.countCodeWord()
      if (retryAfterS !== undefined)
        return { data: { consentState: 'REQUIRED' as const, retryAfterS } }
      const consent = user.findCodeWord(codeWord)
      return consent === undefined
        ? { data: { consentState: 'REQUIRED' as const } }
        : { data: { consentState: 'APPROVED' as const, consents: [consent], consent } }
    }),
    ...createReaderOperations(machine, user),
    ...createCardOperations(machine, origin),
    ...createRawOperations(machine),
    ...createFileOperations(folders),
    bind(contract.listModules, async () => ({ data: modules })),
    bind(contract.getModule, async ({ params: { id } }) => {
      const found = modules.find((module) => module.id === id)
      if (!found) throw createProblem('module-unknown')
      return { data: found }
    }),
    bind(contract.getDeviceCertificate, async () => ({
      data: { certificate: 'test certificate', fingerprint: '00' },
    })),
    bind(contract.getBrowser, async () => ({
      data: {
        name: 'Test browser',
        version: '1',
        engine: 'Test',
        os: { name: 'Linux', version: '' },
        mobile: false,
        hints: {},
      },
    })),
  ]
}

/** Never used to verify anything: the ports of the double decide which signature is genuine. */
const testKey = 'test key'

const modules: contract.Module[] = [
  {
    id: 'x509',
    version,
    description: 'Reads certificates',
    systems: ['windows', 'macos', 'linux'],
    cards: false,
  },
]
