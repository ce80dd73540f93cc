/** A program for Windows: whose are connections to servers of its own? Prints each answer as JSON. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { openOwnerCalls } from '../../src/system/native.ts'
import { createWindowsPeerOwner } from '../../src/system/windows-peer-owner.ts'
import { getSession } from '../../src/system/windows-session.ts'

async function main(): Promise<void> {
  // Windows refuses it to the account of a service; then the table of processes says it.
  const calls = { ...openOwnerCalls(), ProcessIdToSessionId: () => false }
  process.stdout.write(`${JSON.stringify({ session: getSession(calls, process.pid) })}\n`)
  const ask = createWindowsPeerOwner()
  const askBySession = createWindowsPeerOwner({ bySession: true })
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer().listen(0, host)
    await once(server, 'listening')
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    const client = connect(port, host)
    const [socket]: Socket[] = await once(server, 'connection')
    const peer = { address: socket?.remoteAddress ?? '', port: socket?.remotePort ?? 0 }
    const answers = {
      host,
      us: await ask(peer, port),
      // The same connection, seen by somebody else.
      somebody: await createWindowsPeerOwner({ sid: 'S-1-5-21-1-2-3-1001' })(peer, port),
      bySession: await askBySession(peer, port),
      otherPort: await ask(peer, port + 1),
      otherAddress: await ask({ ...peer, address: host === '::1' ? '::2' : '127.0.0.2' }, port),
    }
    process.stdout.write(`${JSON.stringify(answers)}\n`)
    client.destroy()
    server.close()
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  },
)
