/** Firefox for every account of a machine: its policy file names roots to trust. */
import { access, constants, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import * as z from 'zod'
import { findStats, ignoreMissing } from '../../system/missing-file.ts'
import { encodePem } from '../certificate.ts'
import type { RootIdentity, TrustStore } from './trust-store.ts'

/** Where Firefox looks on Linux, as packaged by anybody (mozilla.github.io/policy-templates). */
export const firefoxPolicyFile = '/etc/firefox/policies/policies.json'

// The rest of the file is the administrator's, and is written back unchanged.
const Policies = z.looseObject({
  policies: z
    .looseObject({
      Certificates: z.looseObject({ Install: z.array(z.string()).default([]) }).optional(),
    })
    .default({}),
})
type Policies = z.output<typeof Policies>

/** The policy file as a trust store. Firefox reads the root from a file beside it. */
export function createFirefoxPolicy(file: string): TrustStore {
  const folder = dirname(file)
  const getRootPath = (root: RootIdentity) =>
    join(folder, `cardwire-${root.fingerprint.slice(0, 16)}.pem`)
  const read = async (): Promise<Policies> => {
    const text = (await readFile(file, 'utf8').catch(ignoreMissing)) ?? '{}'
    try {
      return Policies.parse(JSON.parse(text))
    } catch {
      throw new Error(
        `"${file}" is not a policy file that Cardwire can read, so it was not changed`,
      )
    }
  }
  const write = (policies: Policies) =>
    writeFileAtomic(file, `${JSON.stringify(policies, null, 2)}\n`, { mode: 0o644 })

  return {
    name: 'firefox-policy',
    scope: 'machine',
    removes: 'own',
    async findObstacle() {
      const parent = (await findStats(folder)) ? folder : dirname(dirname(folder))
      return access(parent, constants.W_OK).then(
        () => undefined,
        () => ({ reason: `only an administrator may write "${folder}"` }),
      )
    },
    async listOwn() {
      const names = (await readdir(folder).catch(ignoreMissing)) ?? []
      const own = names.filter((name) => /^cardwire-[0-9a-f]{16}\.pem$/.test(name))
      return Promise.all(own.map((name) => readFile(join(folder, name), 'utf8')))
    },
    async trusts(root) {
      const listed = getInstalled(await read()).includes(getRootPath(root))
      const held = await readFile(getRootPath(root), 'utf8').catch(ignoreMissing)
      return listed && held === encodePem(root.der)
    },
    async install(root) {
      await mkdir(folder, { recursive: true, mode: 0o755 })
      const policies = await read()
      await writeFile(getRootPath(root), encodePem(root.der), { mode: 0o644 })
      const others = getInstalled(policies).filter((path) => path !== getRootPath(root))
      await write(setInstalled(policies, [...others, getRootPath(root)]))
    },
    async uninstall(root) {
      const policies = await read()
      const others = getInstalled(policies).filter((path) => path !== getRootPath(root))
      if (others.length < getInstalled(policies).length)
        await (isOnlyOurs(policies, others) ? rm(file) : write(setInstalled(policies, others)))
      await rm(getRootPath(root), { force: true })
    },
  }
}

const getInstalled = ({ policies }: Policies) => policies.Certificates?.Install ?? []

const setInstalled = (file: Policies, Install: readonly string[]): Policies => {
  const { Certificates, ...others } = file.policies
  const rest = Object.keys(Certificates ?? {}).filter((key) => key !== 'Install')
  // An empty list of ours leaves nothing behind.
  const keep = Install.length > 0 || rest.length > 0
  const certificates = keep ? { Certificates: { ...Certificates, Install: [...Install] } } : {}
  return { ...file, policies: { ...others, ...certificates } }
}

const isOnlyOurs = (file: Policies, others: readonly string[]) =>
  others.length === 0 &&
  Object.keys(file).length === 1 &&
  Object.keys(file.policies).every((key) => key === 'Certificates') &&
  Object.keys(file.policies.Certificates ?? {}).every((key) => key === 'Install')
