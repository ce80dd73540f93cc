/** Sends requests over one kept-alive connection, a line of JSON for each, and prints how long each took: PORT CA TOKEN. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { createInterface } from 'node:readline'

const [port, ca, token] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: readFileSync(ca) })
const headers = {
  'x-csrf-token': 't1c-js',
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
}

const send = ({ path, body }) =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const method = body === undefined ? 'GET' : 'POST'
    const outgoing = request(
      { host: 'localhost', port, path, agent, method, headers },
      (response) => {
        let received = ''
        response.setEncoding('utf8').on('data', (part) => {
          received += part
        })
        response.once('end', () =>
          resolve({
            took: performance.now() - started,
            status: response.statusCode,
            json: JSON.parse(received),
          }),
        )
      },
    )
    outgoing.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })

for await (const line of createInterface(process.stdin)) {
  process.stdout.write(`${JSON.stringify(await send(JSON.parse(line)))}\n`)
}
agent.destroy()
