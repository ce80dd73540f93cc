/** A process of its own that does one thing with the certificates of a folder and prints what came of it, as JSON. */
import { openCertificates } from '../../src/certificates/open-certificates.ts'

async function main([folder = '', act = 'ensure', days = '0']: readonly string[]): Promise<void> {
  const silent = () => undefined
  const log = { info: silent, warn: silent, error: silent }
  // A clock that is wrong by some days, as the system would show it; set before anybody takes hold of it.
  const offset = Number(days) * 86_400_000
  const { now } = Date
  Date.now = () => now() + offset
  const certificates = openCertificates({ hosts: [] }, { certificates: folder }, log)
  const answer = await run(certificates, act).catch((error: unknown) => ({
    failure: error instanceof Error ? error.message : String(error),
  }))
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

async function run(certificates: ReturnType<typeof openCertificates>, act: string) {
  if (act === 'renew') return certificates.renew({})
  if (act === 'renew-root') return certificates.renew({ root: true })
  const { fingerprint } = await certificates.ensure()
  const { root } = await certificates.status()
  return { fingerprint, root: root.certificate?.fingerprint }
}

void main(process.argv.slice(2))
