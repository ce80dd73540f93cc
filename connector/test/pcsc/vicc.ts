/** vicc, the card emulator of the virtualsmartcard project: a card that nobody here wrote. */
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Debian calls the library that vicc imports as Crypto Cryptodome, and puts vicc's own where no Python looks. */
const debian = {
  python: '/usr/bin/python3',
  crypto: '/usr/lib/python3/dist-packages/Cryptodome',
  vicc: '/usr/lib/python3/site-packages/virtualsmartcard',
}

/** Starts vicc as the card in the reader that listens on `port`. It is in the reader until it is stopped. */
export async function startVicc(port: number): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-vicc-'))
  await symlink(debian.crypto, join(folder, 'Crypto'))
  const vicc = Bun.spawn(
    [debian.python, '/usr/bin/vicc', '--type', 'iso7816', '--port', String(port)],
    {
      env: { ...process.env, PYTHONPATH: `${folder}:${debian.vicc}` },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    },
  )
  return {
    async stop() {
      vicc.kill()
      await vicc.exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
