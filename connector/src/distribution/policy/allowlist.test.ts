/** The origins whose pages may use the API: which entries of a policy count. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createAllowlist } from './allowlist.ts'

test('entries of a policy that are not origins allow nobody, the others are made canonical', () => {
  proves('other-account-origins')
  const cors = ['https://*.com', '*', 'http://shop.example', 'HTTPS://Shop.example:443/']
  const allowlist = createAllowlist(['https://settings.example'], () => ({ cors }))
  expect(allowlist.entries()).toEqual(['https://shop.example'])
})

test('origins of the settings count until there is a policy, and a policy without origins allows nobody', () => {
  let cors: string[] | undefined
  const allowlist = createAllowlist(['https://settings.example'], () => cors && { cors })
  expect(allowlist.entries()).toEqual(['https://settings.example'])
  cors = []
  allowlist.refresh()
  expect(allowlist.entries()).toEqual([])
})
