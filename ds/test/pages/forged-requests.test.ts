/** What a viewer's browser sends without a form that the admin console shows to viewers: every request is refused. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headlessProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { addAccount } from '../harness/accounts.ts'
import {
  createLabel,
  createOrganization,
  createRollout,
  createVersion,
  getData,
  uploadInstaller,
} from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { startInProcess } from '../harness/in-process.ts'
import { findForms, type PageForm } from '../harness/page-forms.ts'
import { fromOwnPage, openPageSession } from '../harness/page-session.ts'
import { readContent, storeApproval, withDatabase } from '../harness/stored-data.ts'
import { type Administration, startAdministration } from './administration.ts'

/** Of the session and the account of whoever is logged in: every role has them. */
const isOwn = (to: string) => /^(login|logout|account|first-step)(\/|$)/.test(to)

/** Of the first steps, which a service that is in use shows no more. */
const firstSteps: readonly PageForm[] = ['organization', 'label', 'version', 'allowlist'].map(
  (step) => ({
    to: `first-use/${step}`,
    isMultipart: false,
    files: [],
    fields: { name: 'Forged', id: '9.9.9', origins: 'https://forged.example' },
  }),
)

describe.runIf(existsSync(headlessProgram))('forged requests', () => {
  let administration: Administration
  beforeAll(async () => {
    administration = await startAdministration({ DS_DEVICE_APPROVAL: 'on' })
  })
  afterAll(() => administration?.stop())

  /** Something of everything, so that every page is there. */
  async function arrange(): Promise<void> {
    const { service } = administration
    const token = await service.login()
    const put = async (type: string, versionId: string, config: Json) =>
      getData(
        await service.request('PUT', '/v3/configurations', {
          token,
          body: { type, versionId, config },
        }),
      )
    const version = await createVersion(service, token)
    const changed = await createVersion(service, token)
    const path = `/v3/versions/${changed.id}`
    // A revision that can be restored.
    getData(await service.request('PATCH', path, { token, body: { allowed: false } }))
    const allowlist = await put('CONTEXT_CONFIG', version.id, { cors: ['https://shop.example'] })
    const patch = { config: { cors: ['https://other.example'] } }
    const configuration = `/v3/configurations/${allowlist.id}`
    getData(await service.request('PATCH', configuration, { token, body: patch }))
    const group = { name: 'Pilot', rules: [{ tags: ['pilot'] }] }
    const groupPath = `/v3/groups/${crypto.randomUUID()}`
    getData(await service.request('PUT', groupPath, { token, body: group }))
    await put('FILE_DIGESTS', version.id, { files: [] })
    await put('SSL_KEYSTORE', version.id, { uri: 'https://keys.example/k.p12', password: 'secret' })
    await uploadInstaller(service, token)
    for (const state of ['draft', 'running', 'paused']) await createRollout(service, token, state)
    // One that a rollout can be created for.
    await createVersion(service, token)
    await createOrganization(service, token)
    await createLabel(service, token)
    const blocked = await createDevice(service, version)
    await service.request('POST', `/v3/devices/${blocked.id}/block`, { token })
    await createDevice(service, version)
    const { name } = await addAccount(service, 'publisher')
    const webhook = { name: 'Hook', url: 'https://hooks.invalid/', events: ['rollout.halted'] }
    const webhookPath = `/v3/webhooks/${crypto.randomUUID()}`
    await service.admin('PUT', webhookPath, { ...webhook, enabled: false })
    await service.admin('POST', `${webhookPath}/test`)
    await service.admin('POST', '/v3/api-clients', { id: 'pipeline', role: 'publisher' })
    await service.admin('POST', '/v3/api-clients/pipeline/credentials', { kind: 'secret' })
    await withDatabase(service, ({ run }) => storeApproval(run))
    await withDatabase(service, ({ run }) =>
      run('update administrators set totp_secret = ?, totp_step = 1 where name = ?', 'x', name),
    )
  }

  const readStored = () =>
    withDatabase(administration.service, (data) => readContent(data, ['browser_sessions']))

  test('every form that an administrator gets is refused when a viewer sends it', async () => {
    proves('role-exceeded')
    const { service, open } = administration
    await arrange()
    const { page } = await open()
    const forms = [
      ...(await findForms(service.url, await openPageSession(service), page)),
      ...firstSteps,
    ]
    const viewer = await addAccount(service, 'viewer')
    const { cookie } = await openPageSession(service, viewer)
    const send = async ({ to, fields, files, isMultipart }: PageForm) => {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.set(name, value)
      for (const name of files) body.set(name, new File(['bytes'], 'forged.deb'))
      const multipart = new Response(body)
      const headers = { ...fromOwnPage(service), cookie }
      return service.request(
        'POST',
        `/admin/${to}`,
        isMultipart
          ? {
              headers: { ...headers, 'content-type': multipart.headers.get('content-type') ?? '' },
              body: new Uint8Array(await multipart.arrayBuffer()),
            }
          : { headers, form: fields },
      )
    }
    const { get } = await openPageSession(service, viewer)
    const shown: string[] = []
    for (const { to } of forms) {
      const { status, text } = await get(to)
      if (status !== 200) continue
      const targets = [...text.matchAll(/<form method="post" action="([^"]*)"/g)].map(
        ([, at = '']) => at,
      )
      shown.push(...targets.filter((at) => !isOwn(at)).map((at) => `${to} shows ${at}`))
    }
    expect(shown).toEqual([])

    const before = await readStored()
    const answers: { readonly to: string; readonly status: number }[] = []
    for (const form of forms.filter(({ to }) => !isOwn(to)))
      answers.push({ to: form.to, status: (await send(form)).status })

    expect(answers.length).toBeGreaterThan(20)
    expect(answers.filter(({ status }) => status !== 403)).toEqual([])
    expect(await readStored()).toEqual(before)

    const { routes, stop } = await startInProcess()
    await stop()
    const unseen = routes
      .filter(({ method, path }) => method === 'POST' && path.startsWith('/admin/'))
      .map(({ path }) => path.slice('/admin/'.length))
      .filter((path) => !isOwn(path))
      .filter((path) => {
        const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
        return !answers.some(({ to }) => pattern.test(to))
      })
    expect(unseen).toEqual([])
  })
})
