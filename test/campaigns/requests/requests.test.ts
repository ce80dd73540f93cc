/** The generated requests that every run of the tests sends to the built programs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { getAmount } from '../../bed/amounts.ts'
import { proves } from '../../bed/proves.ts'
import { targetNames } from './documented.ts'

const campaign = fileURLToPath(new URL('main.ts', import.meta.url))

/** `npm run campaign -- requests` sends more. */
const requests = getAmount('generated requests to each program')
const bodies = getAmount('hostile bodies to each program')

// The programs are the children of a process of their own: their memory is measured.
test.each(targetNames)('every invariant holds for generated requests to %s', async (target) => {
  proves('generated-requests', 'large-answers')
  const options = ['--target', target, '--requests', `${requests}`, '--bodies', `${bodies}`]
  const child = spawn(process.execPath, [campaign, ...options])
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  expect(errors).toBe('')
  const [, sent] = new RegExp(`^\\| ${target} \\| ([\\d,]+) \\|`, 'm').exec(output) ?? []
  expect(Number(sent?.replaceAll(',', ''))).toBeGreaterThan(requests)
  expect(status).toBe(0)
})
