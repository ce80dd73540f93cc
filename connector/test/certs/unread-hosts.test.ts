/** The list of hosts of the certificates when it cannot be read at the moment, and when it is damaged. */
import { mkdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createCertificateSetup } from './test-certificates.ts'

const host = 'card.example.internal'

test('while the list of hosts cannot be read, no root is made that could not sign for them', async () => {
  proves('data-file-damaged')
  const { certificates, path, read } = createCertificateSetup()
  await certificates.ensure()
  await certificates.hosts([host])
  expect(await certificates.renew({ root: true })).toMatchObject({ renewed: true })
  const root = read('rootCA.pem')
  const list = join(path, 'hosts.json')
  renameSync(list, `${list}.away`)
  mkdirSync(list)
  expect(await certificates.renew({ root: true })).toMatchObject({ renewed: false })
  await expect(certificates.ensure()).rejects.toThrow('hosts.json')
  rmdirSync(list)
  renameSync(`${list}.away`, list)
  expect(read('rootCA.pem')).toBe(root)
  expect((await certificates.status()).hosts).toEqual({ wanted: [host], needsRoot: [] })
})

test('a list of hosts that is none is ignored, and the log says so', async () => {
  proves('data-file-damaged')
  const { certificates, path, log } = createCertificateSetup()
  await certificates.ensure()
  writeFileSync(join(path, 'hosts.json'), '{')
  await certificates.ensure()
  expect(JSON.stringify(log)).toContain('hosts.json')
})
