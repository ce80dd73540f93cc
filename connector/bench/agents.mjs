/** Agents that register with the registry, poll, and deny every request: PORT CA COUNT ORIGIN. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'

const [port, ca, count, origin] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, ca: readFileSync(ca) })

const post = (path, body) =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const headers = {
      'x-csrf-token': 't1c-js',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    const outgoing = request(
      { host: 'localhost', port, path: `/agent/${path}`, agent, method: 'POST', headers },
      (response) => {
        let received = ''
        response.setEncoding('utf8').on('data', (part) => {
          received += part
        })
        response.once('end', () => resolve(JSON.parse(received).data))
      },
    )
    outgoing.once('error', reject).end(text)
  })

async function register(index) {
  const { session } = await post('register', {
    protocol: 1,
    agentId: randomUUID(),
    username: 'bench',
    hostname: 'bench',
    port: 30_000 + index,
    pid: index + 1,
    // As long as a real one.
    pageKey: 'k'.repeat(451),
    allowlist: [origin],
  })
  return session
}

async function serve(session) {
  for (;;) {
    const { requests } = await post('poll', { session })
    const responses = requests.map(({ id }) => ({ kind: 'denied', id }))
    if (responses.length > 0) await post('responses', { session, responses })
  }
}

const sessions = await Promise.all(Array.from({ length: Number(count) }, (_, at) => register(at)))
for (const session of sessions) serve(session)
process.stdout.write('ready\n')
process.stdin.resume().once('close', () => process.exit(0))
