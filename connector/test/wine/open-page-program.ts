/** A program for Windows that does what the local page does: `open-page-program ADDRESS`. Prints what it got, and ends when the connector runs. */

async function main(): Promise<void> {
  const { origin, hash } = new URL(process.argv[2] ?? '')
  const post = (path: string, body: object, token = '') =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  const page = await fetch(origin)
  process.stdout.write(`page ${page.status}\n`)
  const session = await post('/session', { ticket: hash.slice(1) })
  process.stdout.write(`session ${session.status}\n`)
  const { token }: { token: string } = await session.json()
  const { body } = await post('/view', {}, token)
  if (!body) return
  let text = ''
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part
    const view = text.split('\n').find((line) => line.includes('"connector":"running"'))
    if (view === undefined) continue
    process.stdout.write(`view ${view}\n`)
    return
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  },
)
