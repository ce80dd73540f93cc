/** What the package for macOS ends before it replaces files, on this system: ps and awk are the same. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { places } from '../../packages/macos/places.ts'
import { renderScript } from '../../packages/macos/render.ts'

test('an upgrade ends every process of the program but those that install it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'cardwire-running-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const program = join(home, 'cardwire')
  copyFileSync('/bin/bash', program)
  const roles = ['run', 'open', 'update', 'install-update']
  const started = roles.map((role) => {
    writeFileSync(join(home, role), 'echo started; read')
    return Bun.spawn([program, role], { cwd: home, stdin: 'pipe', stdout: 'pipe' })
  })
  for (const { stdout } of started) expect((await stdout.getReader().read()).done).toBe(false)
  const script = join(home, 'preinstall')
  writeFileSync(script, renderScript('preinstall').replaceAll(`/${places.program}`, program))
  writeFileSync(join(home, 'launchctl'), '#!/bin/sh\n', { mode: 0o755 })
  spawnSync('sh', [script], { env: { PATH: `${home}:/usr/bin:/bin` } })
  for (const { stdin } of started.slice(2)) await stdin.end()
  // 143 is 128 and SIGTERM; 1 is the end of what it reads.
  expect(await Promise.all(started.map(({ exited }) => exited))).toEqual([143, 143, 1, 1])
})
