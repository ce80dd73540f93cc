/** A person with a card for tests: its keys sign, and its certificates lead to a root that a back end can trust. */
import { encodeBase64 } from '@cardwire/protocol/base64'
import { encode, hex, integer, sequence, toHex, utcTime, utf8 } from './der.ts'
import { createTestKeyPair, type TestKeyPair, toDerSignature } from './test-key-pair.ts'
import type { TestCard, TestKey } from './test-types.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A person with a card, made by `createTestPerson`. */
export interface TestPerson {
  /** The card, for `insertCard`: a key to sign in with (`9A`), one for signatures (`9C`), their certificates, and the name as identity data. */
  readonly card: TestCard
  /** The certificate of the CA in PEM, for `roots` of `verifyAuthentication`. All test persons have the same CA. */
  readonly root: string
}

/**
 * Creates a person with this name and a card. Its signatures verify, and `verifyAuthentication` accepts its tokens. The keys are new in
 * each test run, so no product trusts the CA.
 */
export async function createTestPerson(name: string): Promise<TestPerson> {
  authority ??= createAuthority()
  const { certificate, issue } = await authority
  const authentication = await issue(name, purposes.authentication)
  const signature = await issue(name, purposes.signature)
  const signing: TestKey = {
    ...{ ...signature.names, id: '9C', purpose: 'signature', certificate: signature.certificate },
    hashes: ['SHA-256', 'SHA-384', 'SHA-512'],
    async sign({ digest, format }) {
      const raw = await signature.keys.signDigest(digest)
      return format === 'der' ? toDerSignature(raw) : raw
    },
  }
  const card: TestCard = {
    atr: '3B80800101',
    description: ['Test card'],
    modules: ['piv'],
    keys: [
      {
        ...{ ...authentication.names, id: '9A', purpose: 'authentication' },
        certificate: authentication.certificate,
        authenticate: authentication.keys.signData,
      },
      signing,
    ],
    authorities: [{ role: 'root', certificate, subject: `CN=${authorityName}` }],
    identity: { biometric: { firstNames: name } },
  }
  const lines = encodeBase64(certificate).replace(/.{1,64}/g, '$&\n')
  return { card, root: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n` }
}

const authorityName = 'Cardwire Test CA'

/** Object identifiers, in DER. */
const oids = {
  ecdsaWithSha256: hex('06082a8648ce3d040302'),
  commonName: hex('0603550403'),
  basicConstraints: hex('0603551d13'),
  keyUsage: hex('0603551d0f'),
  extendedKeyUsage: hex('0603551d25'),
  clientAuthentication: hex('06082b06010505070302'),
} as const

const critical = (oid: Bytes, value: Bytes): Bytes =>
  sequence(oid, hex('0101ff'), encode(0x04, value))

/** The extensions of a certificate (RFC 5280, section 4.2.1), by what its key is for. */
const purposes = {
  authority: [
    critical(oids.basicConstraints, sequence(hex('0101ff'))),
    // keyCertSign and cRLSign.
    critical(oids.keyUsage, hex('03020106')),
  ],
  authentication: [
    critical(oids.basicConstraints, sequence()),
    // digitalSignature.
    critical(oids.keyUsage, hex('03020780')),
    sequence(oids.extendedKeyUsage, encode(0x04, sequence(oids.clientAuthentication))),
  ],
  signature: [
    critical(oids.basicConstraints, sequence()),
    // nonRepudiation.
    critical(oids.keyUsage, hex('03020640')),
  ],
} as const

interface Issued {
  readonly keys: TestKeyPair
  /** In DER. */
  readonly certificate: Bytes
  readonly names: Required<Pick<TestKey, 'subject' | 'issuer' | 'serialNumber'>>
}

interface Authority {
  readonly certificate: Bytes
  issue(name: string, extensions: readonly Bytes[]): Promise<Issued>
}

let authority: Promise<Authority> | undefined

async function createAuthority(): Promise<Authority> {
  const own = await createTestKeyPair()
  const issueFor = async (
    keys: TestKeyPair,
    name: string,
    extensions: readonly Bytes[],
  ): Promise<Issued> => {
    // Positive, and of full length.
    const serial = crypto.getRandomValues(new Uint8Array(16)).map((byte, at) => (at ? byte : 0x5a))
    const content = sequence(
      encode(0xa0, integer(Uint8Array.of(2))),
      integer(serial),
      sequence(oids.ecdsaWithSha256),
      toName(authorityName),
      // So long that no test, with whatever clock, is out of it.
      sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
      toName(name),
      keys.publicKey,
      encode(0xa3, sequence(...extensions)),
    )
    const signature = toDerSignature(await own.signData(content))
    return {
      keys,
      certificate: sequence(
        content,
        sequence(oids.ecdsaWithSha256),
        encode(0x03, Uint8Array.of(0), signature),
      ),
      names: {
        subject: `CN=${escapeName(name)}`,
        issuer: `CN=${authorityName}`,
        serialNumber: toHex(serial).toUpperCase(),
      },
    }
  }
  const { certificate } = await issueFor(own, authorityName, purposes.authority)
  return {
    certificate,
    issue: async (name, extensions) => issueFor(await createTestKeyPair(), name, extensions),
  }
}

const toName = (name: string): Bytes =>
  sequence(encode(0x31, sequence(oids.commonName, utf8(name))))

/** As RFC 4514 writes it. */
const escapeName = (name: string): string => name.replace(/^[ #]|[,+"\\<>;]| $/g, '\\$&')
