/** Certificates and signatures of the keys that the system keeps for the user: the module truststore of legacy clients. */

import { Problem } from '@cardwire/protocol/problem'
import * as contract from '@cardwire/protocol/trust-store'
import type { Context } from 'hono'
import type { ApiEnv, Bind } from '../http/route-types.ts'
import type { KeyStore } from '../sandbox/windows-keys/key-store.ts'
import type { ApiServices } from './api-services.ts'
import { readFilter } from './card-certificates.ts'
import { createUseCounter } from './counters/use-counter.ts'
import { createRequirePage } from './page-watch.ts'
import { createKeyUse, type KeyUseServices } from './store-key-use.ts'
import { createStoreSigner } from './store-signer.ts'
import { describeOwn, listByPurpose, listFor } from './stored-certificates.ts'
import { chooseOwn, listKeyHashes, requireOwn, requireSigning } from './stored-key.ts'
import { createWorkQueue } from './work-queue.ts'

type TrustStoreServices = Pick<
  ApiServices,
  'keyStore' | 'hasGrant' | 'counters' | 'log' | 'clock'
> &
  KeyUseServices

/** Operations that list the certificates for one purpose. */
const lists = [
  [contract.listStoreRoots, 'root'],
  [contract.listStoreIntermediates, 'intermediate'],
  [contract.listStoreAuthentication, 'authentication'],
  [contract.listStoreNonRepudiation, 'non-repudiation'],
  [contract.listStoreEncryption, 'encryption'],
] as const

/** Processes that read a list at once, for all pages; the others wait. */
const maxLists = 2

export function bindTrustStoreRoutes(bind: Bind, services: TrustStoreServices): void {
  const { counters, log, clock } = services
  const useKey = createKeyUse(services)
  const signWithKey = createStoreSigner(services, useKey)
  const count = createUseCounter(counters, log)('truststore')
  const requirePage = createRequirePage(services)
  const queueWork = createWorkQueue(maxLists, requirePage)

  const requireStore = (context: Context<ApiEnv>): KeyStore => {
    const { keyStore } = services
    // A list waits for a process, and for those before it.
    context.env.keepOpen()
    if (keyStore) {
      return {
        ...keyStore,
        async list(name) {
          const found = await queueWork(context, () => keyStore.list(name))
          requirePage(context)
          return found
        },
      }
    }
    const message = 'Cannot use module "truststore": it is only for Windows'
    throw new Problem('card-unsupported', message)
  }

  const sign = async (
    context: Context<ApiEnv>,
    body: Parameters<typeof signWithKey>[2],
    purpose: 'authentication' | 'non-repudiation',
  ) => {
    const data = await signWithKey(context, requireStore(context), body, purpose)
    count(context, purpose === 'authentication' ? 'authentication' : 'signature')
    return { data: { data } }
  }

  bind(contract.listStoreCertificates, async ({ query }, context) => ({
    data: await listByPurpose(requireStore(context), readFilter(query)),
  }))
  for (const [operation, purpose] of lists) {
    bind(operation, async (_, context) => ({
      data: { certificates: [...(await listFor(requireStore(context), purpose))] },
    }))
  }
  bind(contract.getStoreCertificate, async ({ body }, context) => ({
    data: describeOwn(await requireOwn(requireStore(context), body.id, 'id')),
  }))
  bind(contract.listStoreAlgorithms, async ({ params }, context) => {
    const own = await requireOwn(requireStore(context), params.id, 'id')
    return { data: { ref: [...listKeyHashes(requireSigning(own))] } }
  })
  bind(contract.verifyStorePin, async ({ body }, context) => {
    const store = requireStore(context)
    const own = await chooseOwn(store, body.certId, 'non-repudiation', clock())
    const keyUse = { own, act: 'check', wishes: body } as const
    await useKey(context, keyUse, async (signal) => {
      return (await store.open(own.fingerprint, signal)) ?? true
    })
    count(context, 'pin-verification')
    return { data: true }
  })
  bind(contract.authenticateWithStore, ({ body }, context) => sign(context, body, 'authentication'))
  bind(contract.signWithStore, ({ body }, context) => sign(context, body, 'non-repudiation'))
  bind(contract.resetStorePin, async (_, context) => {
    requireStore(context)
    return { data: true }
  })
}
