/** What docs/api-clients.md promises: its commands, run as they are written, and its samples of other programs. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administratorsCommand } from '../../test/bed/administrators-command.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { createEnvironment, runProgram } from '../../test/bed/program.ts'
import { proves } from '../../test/bed/proves.ts'
import { root, toolPath } from '../../test/bed/repository.ts'
import type { Json } from '../../test/bed/service-request.ts'
import { runtimes } from '../../test/bed/service-runtimes.ts'
import { startOpenIdIssuer } from './harness/openid-issuer.ts'

let service: DistributionService
let folder: string
/** The blocks of the document by their language, in its order. */
let blocks: readonly { readonly kind: string; readonly text: string }[]
beforeAll(async () => {
  const document = await readFile(join(root, 'docs/api-clients.md'), 'utf8')
  blocks = [...document.matchAll(/```(sh|yaml)\n(.*?)```/gs)].map(([, kind = '', text = '']) => ({
    ...{ kind, text },
  }))
  service = await startDistributionService(runtimes.Node)
  folder = await mkdtemp(join(tmpdir(), 'cardwire-clients-'))
  // The command that the document runs with sudo.
  const programs = join(folder, 'programs')
  await mkdir(programs)
  await writeFile(join(programs, 'sudo'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
  const command = administratorsCommand.map((word) => `'${word}'`).join(' ')
  const script = `#!/bin/sh\nexec ${command} "$@"\n`
  await writeFile(join(programs, 'cardwire-ds-admin'), script, { mode: 0o755 })
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The block of commands that has this text. */
const findCommands = (text: string): string => {
  const found = blocks.filter((block) => block.kind === 'sh' && block.text.includes(text))
  expect([text, found.length]).toEqual([text, 1])
  return (found[0]?.text ?? '').replaceAll('https://ds.example', service.url)
}
async function run(script: string, environment: Record<string, string> = {}): Promise<string> {
  const env = {
    ...createEnvironment(service.folder, { DS_DATABASE: service.database }),
    PATH: `${join(folder, 'programs')}:${process.env['PATH']}`,
    ...environment,
  }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    ...{ cwd: folder, env },
  })
  return stdout
}
const parseYaml = async (text: string): Promise<Json> => {
  const script = 'console.log(JSON.stringify(Bun.YAML.parse(await Bun.stdin.text())))'
  const { status, out, err } = await runProgram([toolPath('bun'), '-e', script], {
    ...{ env: createEnvironment(folder), input: text },
  })
  expect([status, err]).toEqual([0, ''])
  return JSON.parse(out)
}

test('a secret of the command gets a token, which works, and is rotated and removed', async () => {
  proves('client-command', 'api-clients')
  expect(await run(findCommands('client add'))).toMatch(
    /^Added "release-pipeline"\nrelease-pipeline\tpublisher\t1 credential\tnever used\n$/,
  )
  const use = findCommands('-d grant_type=client_credentials') + findCommands('/v3/versions')
  expect(JSON.parse(await run(use)).data.total).toBe(0)
  const first = await readFile(join(folder, 'secret.txt'), 'utf8')
  await run(findCommands('--retire-others'))
  expect(await readFile(join(folder, 'secret.txt'), 'utf8')).not.toBe(first)
  expect(JSON.parse(await run(use)).data.total).toBe(0)
  const metrics = `${findCommands('-d grant_type=client_credentials')}
    curl -sf -H "Authorization: Bearer $token" -H 'X-Forwarded-For: 198.51.100.7' ${service.url}/metrics`
  expect(await run(metrics)).toContain('cardwire_ds_keys')
})

test('a job of GitHub Actions exchanges its token', async () => {
  proves('federated-credentials')
  const issuer = await startOpenIdIssuer()
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const claims = {
      ...{ iss: issuer.issuer, sub: 'repo:example/cards:ref:refs/tags/v4.1.0' },
      aud: searchParams.get('audience') ?? '',
    }
    const value = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(issuer.privateKey)
    response.end(JSON.stringify({ value }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await service.admin('PUT', '/v3/api-clients/release-pipeline', { role: 'publisher' })
    await service.admin('POST', '/v3/api-clients/release-pipeline/credentials', {
      ...{ kind: 'federated', issuer: issuer.issuer },
      subject: 'repo:example/cards:ref:refs/tags/*',
    })
    const port = (server.address() as AddressInfo).port
    const out = await run(findCommands('job_token=') + findCommands('/v3/versions'), {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'token-of-the-job',
    })
    expect(JSON.parse(out).data.total).toBe(0)
  } finally {
    server.close()
    issuer.stop()
  }
})

test('the samples for other programs are YAML with what each of them reads', async () => {
  proves('federated-credentials')
  const samples = await Promise.all(
    blocks.filter(({ kind }) => kind === 'yaml').map(({ text }) => parseYaml(text)),
  )
  const [gitHub, gitLab] = samples
  expect(samples).toHaveLength(2)
  expect(gitHub.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  expect(gitHub.jobs.release.steps.every(({ run, uses }: Json) => run ?? uses)).toBe(true)
  expect(gitLab.release.id_tokens.CARDWIRE_ID_TOKEN).toEqual({ aud: 'https://ds.example' })
  expect(gitLab.release.script.every((line: unknown) => typeof line === 'string')).toBe(true)
})
