/** Lists the readers again and again over one connection, and prints the quantiles: PORT CA TOKEN. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'

const [port, ca, token] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: readFileSync(ca) })
const headers = { 'x-csrf-token': 't1c-js', authorization: `Bearer ${token}` }

const send = () =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const outgoing = request(
      { host: 'localhost', port, path: '/v3/readers', agent, headers },
      (response) => {
        response.resume().once('end', () => resolve(performance.now() - started))
      },
    )
    outgoing.once('error', reject).end()
  })

for (let n = 0; n < 500; n += 1) await send()
const times = []
for (let n = 0; n < 3000; n += 1) times.push(await send())
times.sort((a, b) => a - b)
process.stdout.write(
  JSON.stringify({ p50: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)] }),
)
agent.destroy()
