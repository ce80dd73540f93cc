/** nginx as Debian packs it, with a configuration, a folder and a port of its own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../test/bed/free-port.ts'
import { start } from './child-process.ts'

/** Serves the files in `root`; answers with its address. */
export async function startNginx(nginx: string, folder: string, root: string): Promise<string> {
  const port = await findFreePort()
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  // Started by root its workers would be nobody, who cannot look into a temporary folder.
  const user = process.getuid?.() === 0 ? 'user root root;' : ''
  const configuration = `
    ${user}
    daemon off;
    worker_processes 1;
    error_log stderr;
    pid ${join(folder, 'nginx.pid')};
    events {}
    http {
      ${scratch.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')}
      access_log ${join(folder, 'nginx.log')};
      sendfile on;
      server { listen 127.0.0.1:${port}; root ${root}; }
    }`
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration)
  start(folder, nginx, ['-e', 'stderr', '-p', folder, '-c', file])
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await fetch(url).catch(() => undefined)) return url
    await sleep(50)
  }
  throw new Error(`Cannot reach nginx on ${url}: look at ${folder}`)
}
