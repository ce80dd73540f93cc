/** CMS signatures: made here and verified by openssl. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import {
  addSignatureTimestamp,
  chooseHash,
  completeCms,
  prepareCms,
  readSignatureValue,
  verifyDetachedCms,
} from '../../server/src/signatures/cms.ts'
import { encodeSignedData, readSignedData } from '../../server/src/signatures/signed-data.ts'
import { type Holder, keys, makeHolder } from '../harness/authority.ts'
import { signDigest } from '../harness/card-signature.ts'

const run = promisify(execFile)
const content = Buffer.from('The seller hands over the bicycle.')
const signerExtensions = [
  'basicConstraints=critical,CA:FALSE',
  'keyUsage=critical,nonRepudiation',
  'subjectKeyIdentifier=hash',
]

let root: Holder
let intermediate: Holder
const p521 = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521']

beforeAll(async () => {
  root = await makeHolder({ subject: '/CN=Root' })
  intermediate = await makeHolder({ subject: '/CN=Citizens', issuer: root })
})

const makeSigner = (key: readonly string[]) =>
  makeHolder({ subject: '/CN=An Vermeer', issuer: intermediate, key, extensions: signerExtensions })

async function openssl(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run('openssl', args)
  return stdout + stderr
}

async function save(name: string, bytes: Uint8Array): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'cardwire-cms-')), name)
  await writeFile(file, bytes)
  return file
}

const algorithms = [
  ['RSA', 'SHA-256', keys.RS256, undefined],
  ['RSA', 'SHA-384', keys.RS256, undefined],
  ['RSA', 'SHA-512', keys.RS256, undefined],
  ['P-256', 'SHA-256', keys.ES256, 'P-256'],
  ['P-384', 'SHA-384', keys.ES384, 'P-384'],
  ['P-521', 'SHA-512', p521, 'P-521'],
] as const

test.each(algorithms)(
  'openssl verifies a detached signature by %s with %s',
  async (_, hash, key, curve) => {
    const signer = await makeSigner(key)
    const digest = createHash(hash.replace('-', '')).update(content).digest()
    const prepared = await prepareCms({
      digest,
      hash,
      certificate: signer.der,
      chain: [intermediate.der],
      signingTime: new Date('2026-06-01T10:00:00Z'),
    })
    const cms = await completeCms(prepared.state, await signDigest(signer, prepared, curve))
    const [file, contentFile] = await Promise.all([save('s.p7s', cms), save('c', content)])
    const verified = await openssl(
      ...['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', file],
      ...[
        '-content',
        contentFile,
        '-CAfile',
        root.certificateFile,
        '-purpose',
        'any',
        '-out',
        '/dev/null',
      ],
    )
    expect(verified).toMatch(/successful/i)
    expect(readSignatureValue(cms).value.length).toBeGreaterThan(60)
    const stamped = addSignatureTimestamp(cms, Buffer.from('3003020107', 'hex'))
    const file2 = await save('t.p7s', stamped)
    expect(await openssl('cms', '-cmsout', '-print', '-inform', 'DER', '-in', file2)).toContain(
      'id-smime-aa-timeStampToken',
    )
  },
)

test.each([
  [keys.RS256, 'SHA-256'],
  [keys.ES256, 'SHA-256'],
  [keys.ES384, 'SHA-384'],
  [p521, 'SHA-512'],
] as const)('the hash for the key %j is %s', async (key, hash) => {
  expect(chooseHash((await makeSigner(key)).der)).toBe(hash)
})

test('what another key signed completes no signature', async () => {
  const [signer, other] = await Promise.all([makeSigner(keys.ES256), makeSigner(keys.ES256)])
  const digest = createHash('sha256').update(content).digest()
  const prepared = await prepareCms({ digest, hash: 'SHA-256', certificate: signer.der })
  const signature = await signDigest(other, prepared, 'P-256')
  await expect(completeCms(prepared.state, signature)).rejects.toMatchObject({
    name: 'SignatureError',
    reason: 'signature-invalid',
  })
})

test('a state with a certificate that is not in DER completes no signature', async () => {
  const signer = await makeSigner(keys.ES256)
  const digest = createHash('sha256').update(content).digest()
  const prepared = await prepareCms({ digest, hash: 'SHA-256', certificate: signer.der })
  const parts = readSignedData(prepared.state)
  // Its length is not in the shortest form.
  const other = Buffer.concat([Buffer.of(0x30, 0x83, 0), signer.der.subarray(2)])
  const state = encodeSignedData({ ...parts, certificates: [new Uint8Array(other)] })
  await expect(completeCms(state, new Uint8Array(64))).rejects.toMatchObject({
    name: 'SignatureError',
    reason: 'signature-malformed',
  })
})

test('a detached signature is verified by a digest; one with its content is none', async () => {
  const signer = await makeSigner(keys.ES256)
  const digest = createHash('sha256').update(content).digest()
  const made = {
    digest,
    hash: 'SHA-256',
    certificate: signer.der,
    chain: [intermediate.der],
  } as const
  const complete = async (given: { readonly content?: Uint8Array }) => {
    const prepared = await prepareCms({ ...made, ...given })
    return completeCms(prepared.state, await signDigest(signer, prepared, 'P-256'))
  }
  const trust = { roots: [root.certificate] }
  const detached = await complete({})
  const result = await verifyDetachedCms(detached, async () => new Uint8Array(digest), trust)
  expect([result.subject, result.hash, result.signingTime]).toEqual([
    { CN: ['An Vermeer'] },
    'SHA-256',
    undefined,
  ])
  await expect(
    verifyDetachedCms(await complete({ content }), async () => new Uint8Array(digest), trust),
  ).rejects.toMatchObject({ reason: 'signature-malformed' })
})
