/** Keystores that OpenSSL made: read, or refused with the reason. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { asn1 } from 'node-forge'
import { afterAll, describe, expect, test } from 'vitest'
import { KeystoreRefused } from '../../../pkcs12/keystore-refused.ts'
import { openPkcs12 } from '../../../pkcs12/open-pkcs12.ts'
import { proves } from '../../../test/bed/proves.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { createKeystoreOpener } from '../../src/distribution/keystore/open-keystore-file.ts'
import { toServerMaterial } from '../../src/distribution/keystore/server-material.ts'
import { type CertificateOrder, keyKinds, openSsl } from '../keystore/openssl.ts'

const ssl = openSsl()
afterAll(() => ssl.close())

const open = async (file: Uint8Array, password = 'secret') =>
  toServerMaterial(await openPkcs12(file, password), Date.now())
const reasonOf = async (act: Promise<unknown>): Promise<string> => {
  const error = await act.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(KeystoreRefused)
  return error instanceof Error ? error.message : ''
}

const forms: readonly [string, readonly string[]][] = [
  ['AES-256 and SHA-256, as OpenSSL 3 writes it', []],
  ['RC2-40 and 3DES, as OpenSSL 1 wrote it', ['-legacy']],
  ['3DES for both', ['-legacy', '-descert']],
  ['RC2-128', ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128', '-keypbe', 'PBE-SHA1-RC2-128']],
  ['3DES of two keys', ['-legacy', '-keypbe', 'PBE-SHA1-2DES']],
  ['AES-128', ['-certpbe', 'AES-128-CBC', '-keypbe', 'AES-192-CBC']],
  ['3DES the modern way', ['-certpbe', 'des-ede3-cbc', '-keypbe', 'des-ede3-cbc']],
  ['a seal of SHA-512', ['-macalg', 'sha512']],
  ['a seal of SHA-384', ['-macalg', 'sha384']],
  ['no seal', ['-nomac']],
  ['no encryption', ['-certpbe', 'NONE', '-keypbe', 'NONE']],
]

type Node = ReturnType<typeof asn1.fromDer>
const toBytes = (node: Node) => Buffer.from(asn1.toDer(node).getBytes(), 'latin1')

/** The value at a path of positions. */
function getChild(node: Node | undefined, path: readonly number[]): Node {
  const found = path.reduce<Node | undefined>(
    (parent, at) => (Array.isArray(parent?.value) ? parent.value[at] : undefined),
    node,
  )
  if (found === undefined) throw new Error(`no value at ${path.join('.')}`)
  return found
}

function setChild(node: Node, path: readonly number[], value: string): void {
  getChild(node, path).value = value
}

/** Changes the bags of the keys: RFC 7292 §4, PFX, AuthenticatedSafe, SafeContents. */
function changeKeys(file: Node, change: (bags: Node) => void): void {
  const content = getChild(file, [1, 1, 0])
  const safe = asn1.fromDer(String(content.value))
  const parts = Array.isArray(safe.value) ? safe.value : []
  const keys = getChild(parts.at(-1), [1, 0])
  const bags = asn1.fromDer(String(keys.value))
  change(bags)
  keys.value = asn1.toDer(bags).getBytes()
  content.value = asn1.toDer(safe).getBytes()
}

const repeatKeys = (file: Node, times: number) =>
  changeKeys(file, (bags) => {
    bags.value = Array.from({ length: times }, () => getChild(bags, [0]))
  })

/** PBES2 of the first key (RFC 8018 Appendix A): the second member of the parameters of PBKDF2. */
const setKeyIterations = (file: Node, iterations: number) =>
  changeKeys(file, (bags) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(iterations)
    setChild(bags, [0, 1, 0, 0, 1, 0, 1, 1], bytes.toString('latin1'))
  })

const pairs = {
  rsa: ssl.certificate({ key: keyKinds.rsa }),
  p256: ssl.certificate({ key: keyKinds.p256 }),
  p384: ssl.certificate({ key: keyKinds.p384 }),
  p521: ssl.certificate({ key: keyKinds.p521 }),
}

describe.each(['rsa', 'p256'] as const)('a keystore with a key of %s', (kind) => {
  test.each(forms)('and %s is opened', async (_, options) => {
    proves('keystore-formats')
    const { cert, key } = await open(ssl.keystore(pairs[kind], { options }))
    expect(new X509Certificate(cert).raw).toEqual(new X509Certificate(pairs[kind].cert).raw)
    expect(createPrivateKey(key).equals(createPrivateKey(pairs[kind].key))).toBe(true)
  })

  test.each([
    ['modern', []],
    ['legacy', ['-legacy']],
  ])('and a password beyond ASCII is opened, %s', async (_, options) => {
    const password = 'pässwörd €'
    const { key } = await open(ssl.keystore(pairs[kind], { options, password }), password)
    expect(createPrivateKey(key).equals(createPrivateKey(pairs[kind].key))).toBe(true)
  })
})

test.each(['p384', 'p521'] as const)('a key of %s is opened', async (kind) => {
  proves('keystore-formats')
  const { key } = await open(ssl.keystore(pairs[kind]))
  expect(createPrivateKey(key).equals(createPrivateKey(pairs[kind].key))).toBe(true)
})

test('openPkcs12 reads indefinite lengths (BER)', async () => {
  const file = ssl.keystore(pairs.p256)
  // A sequence of a length in two bytes becomes one that ends with two zeros (X.690 §8.1.3.6).
  expect([file[0], file[1]]).toEqual([0x30, 0x82])
  const ber = Buffer.concat([Buffer.from([0x30, 0x80]), file.subarray(4), Buffer.alloc(2)])
  expect((await open(ber)).names).toEqual(['connector.example.com'])
})

const openInThread = (
  file: Uint8Array,
  { signal = new AbortController().signal, timeoutMs = 60_000 } = {},
) =>
  createKeystoreOpener(
    new URL('../../src/distribution/keystore/keystore-worker.ts', import.meta.url),
    timeoutMs,
  )({ file, password: 'secret', needsMac: false, now: Date.now() }, signal)

/** Kept busy for seconds by its file, and within what a file may take. */
const createSlowKeystore = () => ssl.keystore(pairs.p256, { options: ['-iter', '1000000'] })

/** Those of workers: the runtime has others, which come and go. */
const countThreads = () =>
  readdirSync('/proc/self/task').filter((thread) => {
    try {
      return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8') === 'Worker\n'
    } catch {
      // It has ended meanwhile.
      return false
    }
  }).length

test('a keystore that takes too long is refused, and its thread ends', async () => {
  proves('keystore-slow')
  const threads = countThreads()
  const opened = openInThread(createSlowKeystore(), { timeoutMs: 300 })
  expect(await reasonOf(opened)).toContain('takes too long to open')
  await waitFor(() => countThreads() <= threads)
})

test('a keystore that is not wanted any more is given up at once', async () => {
  proves('keystore-slow')
  const abort = new AbortController()
  const opened = openInThread(createSlowKeystore(), { signal: abort.signal })
  const begin = performance.now()
  abort.abort(new Error('another one came'))
  await expect(opened).rejects.toThrow('another one came')
  expect(performance.now() - begin).toBeLessThan(250)
})

test('600,000 iterations do not block the process', async () => {
  const file = ssl.keystore(pairs.p256, { options: ['-iter', '600000'] })
  let [last, longest] = [performance.now(), 0]
  const look = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const turn = setInterval(look, 5)
  await openInThread(file)
  look()
  clearInterval(turn)
  expect(longest).toBeLessThan(250)
})

test('the chain goes from the certificate upwards, without the root and unrelated certificates', async () => {
  const authority = ['basicConstraints=critical,CA:TRUE']
  const root = ssl.certificate({ names: ['root.example'], extensions: authority })
  const middle = ssl.certificate({
    names: ['middle.example'],
    extensions: authority,
    issuer: root,
  })
  const lower = ssl.certificate({
    names: ['lower.example'],
    extensions: authority,
    issuer: middle,
  })
  const leaf = ssl.certificate({ issuer: lower })
  const others = [root, pairs.rsa, middle, lower].map(({ cert }) => cert)
  const { cert } = await open(ssl.keystore(leaf, { others }))
  const chain = cert
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .map((pem) => new X509Certificate(pem))
  expect(chain.map(({ subject }) => subject)).toEqual([
    'CN=connector.example.com',
    'CN=lower.example',
    'CN=middle.example',
  ])
})

test('the names are those of the certificate, wildcards and addresses included', async () => {
  const names = ['Connector.example.com', '*.desk.example.com', '127.0.0.1', '::1']
  const { names: found } = await open(ssl.keystore(ssl.certificate({ names })))
  expect(found).toEqual(['connector.example.com', '*.desk.example.com', '127.0.0.1', '::1'])
})

describe('a keystore is refused', () => {
  test.each(forms.map(([name, options]) => [name, options] as const).slice(0, 10))(
    'with another password, and %s',
    async (_, options) => {
      const file = ssl.keystore(pairs.rsa, { options })
      expect(await reasonOf(open(file, 'another'))).toContain('its password is wrong')
    },
  )

  const order = (more: CertificateOrder) => () => ssl.keystore(ssl.certificate(more))
  test.each<[string, () => Uint8Array, string]>([
    ['whose certificate has expired', order({ days: -1 }), 'its certificate expired at'],
    ['that names no host', order({ names: [] }), 'names no host'],
    [
      'whose certificate is for clients',
      order({ extensions: ['extendedKeyUsage=clientAuth'] }),
      'not for servers',
    ],
    ['with RSA of 1024 bits', order({ key: ['rsa:1024'] }), 'fewer than 2048'],
    ['with Ed25519', order({ key: ['ed25519'] }), 'not RSA or EC'],
    ['without a key', () => ssl.keystore(pairs.rsa, { options: ['-nokeys'] }), 'no private key'],
    ['that is a text', () => Buffer.from('keystore'), 'no PKCS#12 file'],
    ['that is empty', () => Buffer.of(), 'no PKCS#12 file'],
    ['that is PEM', () => Buffer.from(pairs.rsa.cert), 'no PKCS#12 file'],
    ['that is a certificate', () => new X509Certificate(pairs.rsa.cert).raw, 'keystore: '],
    ['that is cut', () => ssl.keystore(pairs.rsa).subarray(0, 900), 'no PKCS#12 file'],
    [
      'with ten thousand brackets',
      () => Buffer.alloc(20_000, Buffer.from([0x30, 0x80])),
      'no PKCS#12',
    ],
  ])('%s', async (_, file, reason) => {
    expect(await reasonOf(open(file()))).toContain(reason)
  })

  test('that is not valid yet', async () => {
    const contents = await openPkcs12(ssl.keystore(pairs.rsa), 'secret')
    const early = async () => toServerMaterial(contents, Date.now() - 30 * 86_400_000)
    expect(await reasonOf(early())).toContain('not valid before')
  })

  test('with too many iterations', async () => {
    const file = ssl.keystore(pairs.p256, { options: ['-iter', '2000'] })
    const rounds = Buffer.from([0x02, 0x02, 0x07, 0xd0])
    const at = file.lastIndexOf(rounds)
    // Two bytes more, in the seal at the end and in the lengths of what it stands in.
    const grown = Buffer.concat([
      file.subarray(0, at),
      Buffer.from([0x02, 0x04, 0x7f, 0xff, 0xff, 0xff]),
    ])
    grown.writeUInt16BE(file.readUInt16BE(2) + 2, 2)
    const mac = file.lastIndexOf(Buffer.from([0x30, 0x31, 0x30, 0x0d]))
    grown[mac - 1] = (grown[mac - 1] ?? 0) + 2
    expect(await reasonOf(open(grown))).toContain('its password takes 2147483647 iterations')
  })

  test('with a MAC of 400 kB', async () => {
    proves('keystore-slow')
    const file = asn1.fromDer(ssl.keystore(pairs.p256).toString('latin1'))
    setChild(file, [2, 0, 1], 'x'.repeat(400_000))
    expect(await reasonOf(open(toBytes(file)))).toContain('its MAC has 400000 bytes, and not 32')
  })

  test('with a salt of 400 kB', async () => {
    proves('keystore-slow')
    const file = asn1.fromDer(ssl.keystore(pairs.p256).toString('latin1'))
    setChild(file, [2, 1], 'x'.repeat(400_000))
    expect(await reasonOf(open(toBytes(file)))).toContain('it has a salt of 400000 bytes')
  })

  test('whose parts take too many iterations together', async () => {
    proves('keystore-slow')
    const file = asn1.fromDer(
      ssl
        .keystore(pairs.p256, { options: ['-nomac', '-certpbe', 'AES-256-CBC'] })
        .toString('latin1'),
    )
    // The part of the certificates is opened; the key alone would be within the limit.
    setKeyIterations(file, 9_999_000)
    const begin = performance.now()
    expect(await reasonOf(open(toBytes(file)))).toContain('more than 10000000 iterations together')
    expect(performance.now() - begin).toBeLessThan(1000)
  })

  test('with more keys than a server has', async () => {
    proves('keystore-slow')
    const options = ['-certpbe', 'NONE', '-keypbe', 'NONE', '-nomac']
    const file = asn1.fromDer(ssl.keystore(pairs.p256, { options }).toString('latin1'))
    repeatKeys(file, 1000)
    expect(await reasonOf(open(toBytes(file)))).toContain('it holds more than 16 private keys')
  })

  test('with any byte changed, unless it decodes to the same keystore', async () => {
    const file = ssl.keystore(pairs.p256)
    const good = await open(file)
    for (let at = 0; at < file.length; at += 7) {
      const changed = Buffer.from(file)
      changed[at] = (changed[at] ?? 0) ^ 0x01
      const found = await open(changed).catch((error: unknown) => {
        expect(error).toBeInstanceOf(KeystoreRefused)
        return good
      })
      expect(found).toEqual(good)
    }
  })
})
