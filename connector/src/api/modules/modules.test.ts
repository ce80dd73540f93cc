/** Which modules there are, by system and card. */
import { expect, test } from 'vitest'
import type { Module } from './module.ts'
import { createModules, registeredModules, toModuleSystem } from './modules.ts'

const everywhere: Module = {
  id: 'everywhere',
  version: '1.0.0',
  describe: ({ atr }) =>
    atr === undefined
      ? { description: 'Needs no card', systems: ['windows', 'macos', 'linux'], cards: false }
      : undefined,
}
const eid: Module = {
  id: 'eid',
  version: '2.0.0',
  describe: ({ system, atr }) =>
    system === 'windows' && (atr === undefined || atr.startsWith('3BAA'))
      ? { description: 'Reads identity cards', systems: ['windows'], cards: true }
      : undefined,
}

test.each([
  ['windows', undefined, ['everywhere', 'eid']],
  ['linux', undefined, ['everywhere']],
  ['windows', '3BAA00', ['eid']],
  ['windows', '3baa00', ['eid']],
  ['windows', '3B00', []],
  ['linux', '3BAA00', []],
] as const)('list on %s, for card %s, has %j', (system, atr, expected) => {
  const ids = createModules([everywhere, eid], system)
    .list(atr)
    .map(({ id }) => id)

  expect(ids).toEqual(expected)
})

test('get answers with the module as it is listed', () => {
  const modules = createModules([everywhere, eid], 'windows')

  expect(modules.get('eid')).toEqual(modules.list()[1])
})

test.each([
  ['nobody registered', 'windows', 'unknown'],
  ['of another system', 'linux', 'eid'],
  ['named like a member of every object', 'windows', 'toString'],
] as const)('get refuses a module %s', (_, system, id) => {
  expect(() => createModules([everywhere, eid], system).get(id)).toThrow(
    expect.objectContaining({ name: 'module-unknown', status: 404 }),
  )
})

test('bindRoutes binds the modules of this system alone', () => {
  const bound: string[] = []
  const routed = [everywhere, eid].map((module) => ({
    ...module,
    routes: () => bound.push(module.id),
  }))

  createModules(routed, 'linux').bindRoutes(
    () => undefined,
    () => () => undefined,
  )

  expect(bound).toEqual(['everywhere'])
})

test('createModules refuses two modules of one id', () => {
  expect(() => createModules([eid, everywhere, eid], 'linux')).toThrow('Cannot register module')
})

test('this connector has x509 on every system', () => {
  const systems = ['win32', 'darwin', 'linux', 'freebsd'].map(toModuleSystem)
  const found = systems.map((system) => createModules(registeredModules, system).get('x509').id)

  expect(systems).toEqual(['windows', 'macos', 'linux', 'linux'])
  expect(found).toEqual(['x509', 'x509', 'x509', 'x509'])
})
