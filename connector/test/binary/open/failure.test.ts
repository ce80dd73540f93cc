/** What fails behind the local page of the compiled binary: here there is no folder for what an installer prints. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { homePaths } from '../../../../test/bed/connector.ts'
import { createUser, openInChromium } from './user.ts'

test('a failure of the page is answered with an id, by which the log has it whole', async () => {
  const user = await createUser({ TMPDIR: '/nowhere' })
  onTestFinished(() => user.close())
  const { origin, ticket } = await user.open()
  const post = (path: string, body: object, token = '') =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  const { token } = await (await post('/session', { ticket })).json()
  const response = await post('/update', {}, token)

  expect(response.status).toBe(500)
  const { requestId } = await response.json()
  const log = await readFile(join(homePaths(user.home).logs, 'page.log'), 'utf8')
  expect(JSON.parse(log)).toMatchObject({
    message: 'page failed',
    requestId,
    reason: expect.stringContaining('/nowhere'),
    stack: expect.arrayContaining([expect.stringContaining('/nowhere')]),
  })
})

test('a user is told that what a button does has failed', async () => {
  const user = await createUser()
  onTestFinished(() => user.close())
  const { page, close } = await openInChromium((await user.open()).address)
  onTestFinished(close)
  await page.getByRole('heading', { name: 'Cardwire is running' }).waitFor()
  await page.route('**/findings', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('alert').getByText('Something went wrong.').waitFor()
})
