/** Keystores as OpenSSL makes them, in a folder that goes with the tests. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Pair {
  /** PEM. */
  readonly cert: string
  readonly key: string
}

export interface CertificateOrder {
  readonly names?: readonly string[]
  /** As `openssl req -newkey` names it, with its options. */
  readonly key?: readonly string[]
  readonly extensions?: readonly string[]
  readonly issuer?: Pair
  /** From now; less than 0 has expired. */
  readonly days?: number
}

export interface KeystoreOrder {
  readonly password?: string
  /** What comes before the files: `-legacy`, `-iter`, … */
  readonly options?: readonly string[]
  /** Certificates beside that of the key. */
  readonly others?: readonly string[]
}

export interface OpenSsl {
  certificate(order?: CertificateOrder): Pair
  keystore(pair: Pair, order?: KeystoreOrder): Buffer
  run(args: readonly string[], input?: string): string
  close(): void
}

export const keyKinds = {
  rsa: ['rsa:2048'],
  p256: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  p384: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  p521: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-521'],
} as const

export function openSsl(): OpenSsl {
  const folder = mkdtempSync(join(tmpdir(), 'cardwire-keystore-'))
  const at = (name: string) => join(folder, name)
  const run = (args: readonly string[], input = '') =>
    execFileSync('openssl', args, { cwd: folder, input, encoding: 'utf8', stdio: 'pipe' })
  return {
    run,
    certificate({
      names = ['connector.example.com'],
      key = keyKinds.p256,
      extensions = [],
      issuer,
      days = 30,
    } = {}) {
      if (issuer) {
        writeFileSync(at('issuer.pem'), issuer.cert)
        writeFileSync(at('issuer-key.pem'), issuer.key)
      }
      const san = names.map((name) => `${/^[\d.:]+$/.test(name) ? 'IP' : 'DNS'}:${name}`).join()
      const all = [...(names.length > 0 ? [`subjectAltName=${san}`] : []), ...extensions]
      const dates = [
        new Date(Date.now() - 9 * 86_400_000),
        new Date(Date.now() + days * 86_400_000),
      ]
      const request = ['req', '-newkey', ...key, '-nodes', '-subj', `/CN=${names[0] ?? 'nobody'}`]
      run([...request, '-keyout', 'key.pem', '-out', 'request.pem'])
      writeFileSync(at('extensions'), `[all]\n${all.join('\n')}\n`)
      writeFileSync(at('index'), '')
      writeFileSync(
        at('ca.conf'),
        `[ca]\ndefault_ca=own\n[own]\ndatabase=${at('index')}\nnew_certs_dir=${folder}\nrand_serial=yes\nunique_subject=no\ndefault_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n`,
      )
      const signer = issuer
        ? ['-cert', 'issuer.pem', '-keyfile', 'issuer-key.pem']
        : ['-selfsign', '-keyfile', 'key.pem']
      const [from = '', to = ''] = dates.map((date) =>
        date.toISOString().replaceAll(/[-:T]|\.\d+/g, ''),
      )
      run([
        ...[
          'ca',
          '-batch',
          '-notext',
          '-config',
          'ca.conf',
          '-in',
          'request.pem',
          '-out',
          'cert.pem',
        ],
        ...['-extfile', 'extensions', '-extensions', 'all', '-startdate', from, '-enddate', to],
        ...signer,
      ])
      return {
        cert: readFileSync(at('cert.pem'), 'utf8'),
        key: readFileSync(at('key.pem'), 'utf8'),
      }
    },
    keystore({ cert, key }, { password = 'secret', options = [], others = [] } = {}) {
      writeFileSync(at('own.pem'), cert)
      writeFileSync(at('own-key.pem'), key)
      writeFileSync(at('others.pem'), others.join(''))
      run([
        ...['pkcs12', '-export', '-in', 'own.pem', '-inkey', 'own-key.pem', '-out', 'store.p12'],
        ...['-passout', `pass:${password}`, ...options],
        ...(others.length > 0 ? ['-certfile', 'others.pem'] : []),
      ])
      return readFileSync(at('store.p12'))
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
