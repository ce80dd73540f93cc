/** What the documents promise: the tour, run as it is written, and the table of the settings. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { administrator } from '../../test/bed/administrator.ts'
import { startDistributionService } from '../../test/bed/distribution-service.ts'
import { root } from '../../test/bed/repository.ts'
import { runtimes } from '../../test/bed/service-runtimes.ts'
import { describeSettings } from '../src/environment.ts'
import { computeFleetLimits } from '../src/rules/fleet-limits.ts'

test('the commands of docs/tour.md print what it says', async () => {
  const tour = await readFile(join(root, 'docs/tour.md'), 'utf8')
  const blocks = [...tour.matchAll(/```(sh|json|text)\n(.*?)```/gs)].map(
    ([, kind = '', text = '']) => ({ kind, text }),
  )
  const commands = blocks.filter(({ kind }) => kind === 'sh').map(({ text }) => text)
  const promised = blocks.filter(({ kind }) => kind !== 'sh').map(({ text }) => text)
  expect(commands.length).toBeGreaterThan(5)

  const folder = await mkdtemp(join(tmpdir(), 'cardwire-tour-'))
  const service = await startDistributionService(runtimes.Node, {
    DS_PACKAGES_DIR: join(folder, 'data/packages'),
  })
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    const script = commands
      .join('\n')
      .replace('http://127.0.0.1:8080', service.url)
      .replace('the-password-that-was-printed', administrator.password)
      .replaceAll('/tmp/label.json', join(folder, 'label.json'))
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder })
    expect(stdout).toMatch(new RegExp(`^${promised.map(pattern).join('')}$`))
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

/** The text as a pattern in which `…` is anything of a line. */
const pattern = (text: string) =>
  text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.+')

test('docs/settings.md lists every setting and its default', async () => {
  const document = await readFile(join(root, 'docs/settings.md'), 'utf8')
  const rows = [...document.matchAll(/^\| `(DS_\w+)` \| (.*?) \|/gm)]
  const defaults = Object.fromEntries(rows.map(([, name = '', fallback = '']) => [name, fallback]))
  const settings = describeSettings()
  expect(Object.keys(defaults)).toEqual(settings.map(({ name }) => name))
  for (const { name, fallback } of settings)
    if (fallback) expect(defaults[name]).toBe(`\`${fallback}\``)
})

test('the table of docs/deploy.md has the limits that the command computes', async () => {
  const document = await readFile(join(root, 'docs/deploy.md'), 'utf8')
  const [, names = '', rows = ''] =
    /^\| Devices \| Addresses \| (.*) \|\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(document) ?? []
  const shown = rows.match(/[\d,]+/g)?.map((number) => Number(number.replaceAll(',', ''))) ?? []
  expect(shown).toHaveLength(7 * 7)
  while (shown.length > 0) {
    const [devices = 0, addresses = 0, ...values] = shown.splice(0, 7)
    const limits = computeFleetLimits({ devices, addresses, hours: 8 })
    expect(names).toBe(
      Object.keys(limits)
        .map((name) => `\`${name}\``)
        .join(' | '),
    )
    expect(values).toEqual(Object.values(limits))
  }
})
