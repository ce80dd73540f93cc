/** A second program that is connected to the card in a reader: a reset is then of somebody's doing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const holdCard = fileURLToPath(new URL('../../pcsc/hold-card.ts', import.meta.url))

/** Until the end of the test. */
export async function holdConnection(readerName: string): Promise<void> {
  const program = spawn('bun', [holdCard, readerName], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    const ended = once(program, 'exit')
    program.stdin.end()
    await ended
  })
  await once(program.stdout, 'data')
}
