/** The card in one reader: its certificates, and what its keys sign. */
import { decodeBase64, encodeBase64 } from '@cardwire/protocol/base64'
import type { Call } from './call-operation.ts'
import type { Card, CardCertificate, PinDialogOptions } from './core-service.ts'
import * as endpoints from './endpoints.ts'
import { CardwireError, createCallError } from './error.ts'
import { readHashes } from './hashes.ts'
import { readIdentity } from './read-identity.ts'
import type { Reader } from './reader.ts'
import { runTransaction } from './transaction.ts'

/** Seconds that the user has for the dialog without `timeoutS`, and within which the connector keeps it. */
const dialogS = { normal: 120, min: 10, max: 180 } as const

/** Milliseconds that the user has for the question whether the page may read identity data. */
const questionMs = 120_000

/** Milliseconds that the connector gives the card for each signature. */
const nextSignatureMs = 2000

export function createCard({ id: reader, card }: Reader, call: Call): Card {
  const module = card?.module ?? card?.modules[0]

  /** Throws what the connector would answer: without a card or module there is no operation to call. */
  const findPlace = (): { readonly module: string; readonly reader: string } => {
    if (module !== undefined) return { module, reader }
    throw card
      ? createRefusal('card-unsupported', '702003', 'Cannot use the card: no module handles it')
      : createRefusal('card-absent', '702001', 'Cannot use the card: there is none in the reader')
  }

  return {
    async certificates({ purpose, ...options } = {}) {
      const filter = purpose && [members[purpose], ...authorities].join(',')
      const parts = { params: findPlace(), query: { filter } }
      const answer = await call(endpoints.listCardCertificates, parts, options)
      const chain = authorities
        .flatMap((member) => answer[member]?.certificates ?? [])
        // Once for all chains that it is in.
        .map(({ subject, issuer, certificate }) => ({
          ...{ subject, issuer, der: readBytes(certificate) },
        }))
      const bySubject = Map.groupBy(chain, ({ subject }) => subject)
      return purposes.flatMap((of) => {
        const found = answer[members[of]]?.certificates ?? []
        return found.map(({ certificate, id, subject, issuer, serialNumber }) => ({
          ...{ id, purpose: of, der: readBytes(certificate), subject, issuer, serialNumber },
          ...(chain.length > 0 && { chain: findChain(bySubject, issuer) }),
        }))
      })
    },
    transaction: (aid, work, options) =>
      runTransaction({ reader, call, readBytes }, aid, work, options),
    async hashes(options) {
      const { ref } = await call(endpoints.listCardHashes, { params: findPlace() }, options)
      return readHashes(ref)
    },
    async identity(parts, options) {
      const request = { params: findPlace(), query: { filter: parts.join(',') } }
      const answer = await call(endpoints.getIdentity, request, options, questionMs)
      return readIdentity(answer, parts, readBytes, (part) =>
        createRefusal('card-mute', '702004', `Cannot read this part of the card: ${part}`),
      )
    },
    async authenticate({ nonce, ...options }) {
      const parts = { params: findPlace(), body: { nonce, ...toDialog(options) } }
      return call(endpoints.authenticate, parts, options, getDialogMs(options))
    },
    async sign({ key: id, hash: algorithm, digest, format, ...options }) {
      const body = { id, algorithm, data: encodeBase64(digest), format, ...toDialog(options) }
      const params = findPlace()
      const parts = { params, body, query: {} }
      const { data } = await call(endpoints.sign, parts, options, getDialogMs(options))
      return readBytes(data)
    },
    async signAll({ key: id, hash: algorithm, digests, format, ...options }) {
      const all = digests.map(encodeBase64)
      const body = { id, algorithm, digests: all, format, ...toDialog(options) }
      const waitMs = getDialogMs(options) + nextSignatureMs * digests.length
      const parts = { params: findPlace(), body }
      const { signatures } = await call(endpoints.signAll, parts, options, waitMs)
      return signatures.map(readBytes)
    },
  }
}

/** The member of the connector's answer for each purpose. */
const members = {
  authentication: 'authenticationCertificate',
  signature: 'nonRepudiationCertificate',
  encryption: 'encryptionCertificate',
} as const satisfies Record<CardCertificate['purpose'], string>
const purposes = Object.keys(members) as readonly CardCertificate['purpose'][]

const authorities = ['intermediateCertificates', 'rootCertificate'] as const

interface Authority {
  readonly subject: string
  readonly issuer: string
  readonly der: Uint8Array<ArrayBuffer>
}

/** Certificates above that of a key: the back end takes five intermediates and a root. */
const maxChainLength = 6

/** From the issuer of this name on, as far as the card has them. */
function findChain(
  bySubject: ReadonlyMap<string, readonly Authority[]>,
  issuer: string,
): Uint8Array<ArrayBuffer>[] {
  const found: Authority[] = []
  for (let name = issuer; found.length < maxChainLength; ) {
    // Several may have one name; each is in the chain once.
    const next = bySubject.get(name)?.find((one) => !found.includes(one))
    if (!next) break
    found.push(next)
    name = next.issuer
  }
  return found.map(({ der }) => der)
}

const toDialog = ({ language, timeoutS }: PinDialogOptions) => ({ language, timeout: timeoutS })

function getDialogMs({ timeoutS = dialogS.normal }: PinDialogOptions): number {
  return Math.min(Math.max(timeoutS, dialogS.min), dialogS.max) * 1000
}

function readBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64(text)
  if (bytes) return bytes
  throw createCallError(
    'answer-malformed',
    'Cannot read the response of the connector: it is not base64',
  )
}

const createRefusal = (
  problem: 'card-absent' | 'card-unsupported' | 'card-mute',
  wireCode: string,
  description: string,
): CardwireError =>
  new CardwireError({ code: '100', reason: 'refused' }, description, { problem, wireCode })
