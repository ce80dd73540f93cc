/** What the simulated connector answers about the card in a reader: its certificates, and signatures of the keys that a test gave. */

import * as contract from '@cardwire/protocol'
import { decodeBase64, encodeBase64 } from '@cardwire/protocol/base64'
import type { CardCertificate } from '../core-service.ts'
import { readHashes, toWireHash } from '../hashes.ts'
import type { Machine } from './machine.ts'
import { type BoundOperation, bind } from './responder.ts'
import { createProblem } from './table-problem.ts'
import { toIdentityAnswer } from './test-identity.ts'
import type { TestAuthority, TestKey } from './test-types.ts'

/** The member of a list, and what legacy clients call it. */
const members = {
  authentication: ['authenticationCertificate', 'authentication'],
  signature: ['nonRepudiationCertificate', 'non-repudiation'],
  encryption: ['encryptionCertificate', 'encryption'],
} as const satisfies Record<CardCertificate['purpose'], readonly [string, string]>
const purposes = Object.keys(members) as readonly CardCertificate['purpose'][]
const authorityMembers = {
  intermediate: 'intermediateCertificates',
  root: 'rootCertificate',
} as const satisfies Record<TestAuthority['role'], string>
const roles = Object.keys(authorityMembers) as readonly TestAuthority['role'][]

interface CardContent {
  readonly keys: readonly TestKey[]
  readonly authorities: readonly TestAuthority[]
}

export function createCardOperations(machine: Machine, origin: string): readonly BoundOperation[] {
  /** The card, when it is one of this module. */
  const findCard = (params: { readonly module: string; readonly reader: string }): CardContent => {
    machine.findReader(params.reader)
    const { modules = [], keys = [], authorities = [] } = machine.findCard(params.reader)
    if (modules.includes(params.module)) return { keys, authorities }
    throw createProblem('card-unsupported')
  }

  return [
    bind(contract.listCardCertificates, async ({ params, query: { filter } }) => {
      return { data: listCertificates(findCard(params), filter) }
    }),
    bind(contract.listCardAlgorithms, async ({ params }) => {
      const key = findCard(params).keys.find(({ sign }) => sign)
      if (key) return { data: { ref: (key.hashes ?? ['SHA-256']).map(toWireHash) } }
      throw createProblem('key-unsupported')
    }),
    bind(contract.getCardIdentity, async ({ params, query: { filter } }) => {
      findCard(params)
      return { data: toIdentityAnswer(machine.findCard(params.reader).identity, filter) }
    }),
    bind(contract.signWithCard, async ({ params, body }) => {
      return { data: { data: await signOne(findCard(params).keys, body, body.data) } }
    }),
    bind(contract.signDigestsWithCard, async ({ params, body }) => {
      const { keys } = findCard(params)
      const signatures = await Promise.all(
        body.digests.map((digest) => signOne(keys, body, digest)),
      )
      return { data: { signatures } }
    }),
    bind(contract.createAuthenticationToken, async ({ params, body }) => {
      const key = findCard(params).keys.find(({ purpose }) => purpose === 'authentication')
      if (!key) throw createProblem('key-unknown')
      const { algorithm = 'ES256', certificate, authenticate } = key
      if (!authenticate) throw createProblem('key-unsupported')
      const signature = await authenticate(await toSignedData(algorithm, origin, body.nonce))
      return {
        data: {
          unverifiedCertificate: encodeBase64(certificate),
          algorithm,
          signature: encodeBase64(signature),
          format: 'web-eid:1.0',
          appVersion: 'urn:cardwire:test',
        },
      }
    }),
  ]
}

/** By the member of the list; `filter`: the members that are wanted, with commas between them. */
function listCertificates({ keys, authorities }: CardContent, filter: unknown) {
  const ofKeys = purposes.map((purpose) => {
    const [member, type] = members[purpose]
    const found = keys.filter((key) => key.purpose === purpose)
    return [member, found.map((key) => toCertificate(key, type))] as const
  })
  const ofAuthorities = roles.map((role) => {
    const found = authorities.filter((authority) => authority.role === role)
    return [authorityMembers[role], found.map(toAuthority)] as const
  })
  const wanted = [...ofKeys, ...ofAuthorities].flatMap(([member, certificates]) => {
    const [first] = certificates
    const isWanted = filter === undefined || String(filter).split(',').includes(member)
    return first && isWanted ? [[member, { ...first, certificates }]] : []
  })
  return Object.fromEntries(wanted)
}

interface SigningBody {
  readonly id?: string | null | undefined
  readonly algorithm: string
  readonly format?: 'raw' | 'der' | undefined
}

async function signOne(
  keys: readonly TestKey[],
  { id: wanted, algorithm, format = 'raw' }: SigningBody,
  base64: string,
): Promise<string> {
  const key = keys.find(({ id, purpose }) => (wanted ? id === wanted : isSigning(purpose)))
  if (!key) throw createProblem('key-unknown')
  const digest = decodeBase64(base64) ?? new Uint8Array()
  const [hash] = readHashes([algorithm])
  if (!hash) throw createProblem('key-unsupported')
  return encodeBase64(await requireSigning(key)({ digest, hash, format }))
}

/** What a token of Web eID signs, before the hash of the signature itself. */
async function toSignedData(
  algorithm: contract.AuthenticationToken['algorithm'],
  origin: string,
  nonce: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const hash = algorithm === 'ES384' ? 'SHA-384' : 'SHA-256'
  const digest = (text: string) => crypto.subtle.digest(hash, new TextEncoder().encode(text))
  const digests = await Promise.all([digest(origin), digest(nonce)])
  return new Uint8Array(await new Blob(digests).arrayBuffer())
}

const isSigning = (purpose: CardCertificate['purpose']): boolean => purpose === 'signature'

function requireSigning({ sign }: TestKey): NonNullable<TestKey['sign']> {
  if (sign) return sign
  throw createProblem('key-unsupported')
}

const toCertificate = (
  { id, certificate, ...names }: Omit<TestKey, 'purpose'>,
  certificateType: string,
) => ({
  id,
  certificateType,
  certificate: encodeBase64(certificate),
  subject: names.subject ?? `CN=Test ${id}`,
  issuer: names.issuer ?? 'CN=Test authority',
  serialNumber: names.serialNumber ?? '01',
})

const toAuthority = ({ role, subject, issuer = subject, certificate }: TestAuthority) =>
  toCertificate({ id: role, certificate, subject, issuer }, role)
