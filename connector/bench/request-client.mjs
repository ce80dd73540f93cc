/** Sends requests over kept-alive https, a line of JSON for each measurement, and prints quantiles and the last body: CA. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { createInterface } from 'node:readline'

const agent = new Agent({ keepAlive: true, ca: readFileSync(process.argv[2]) })

const send = ({ port, path, origin, body }) =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const started = performance.now()
    const outgoing = request(
      {
        host: 'localhost',
        port,
        path,
        agent,
        method: 'POST',
        headers: {
          origin,
          'x-csrf-token': 't1c-js',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        },
      },
      (response) => {
        let received = ''
        response.setEncoding('utf8').on('data', (part) => {
          received += part
        })
        response.once('end', () =>
          resolve({ took: performance.now() - started, json: JSON.parse(received) }),
        )
      },
    )
    outgoing.once('error', reject).end(text)
  })

for await (const line of createInterface(process.stdin)) {
  const { warm, times, ...order } = JSON.parse(line)
  let last
  for (let n = 0; n < warm; n += 1) await send(order)
  const took = []
  for (let n = 0; n < times; n += 1) {
    last = await send(order)
    took.push(last.took)
  }
  took.sort((a, b) => a - b)
  const [p50, p99] = [took[times >> 1], took[Math.floor(times * 0.99)]]
  process.stdout.write(`${JSON.stringify({ p50, p99, json: last.json })}\n`)
}
agent.destroy()
