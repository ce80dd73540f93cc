/** Where the message bus of a user is, by the environment. */
import { expect, test } from 'vitest'
import { findSessionBus } from './dbus-address.ts'

const folder = '/run/user/1000'
const runtimeBus = '/run/user/1000/bus'

test.each([
  [undefined, [runtimeBus]],
  ['', [runtimeBus]],
  ['unix:runtime=yes', [runtimeBus]],
  ['unix:path=/run/user/1000/bus', [runtimeBus]],
  ['unix:path=/tmp/dbus-a%20b%2c%c3%a9,guid=00ff', ['/tmp/dbus-a b,é']],
  ['unix:guid=00ff,path=/tmp/dbus-1', ['/tmp/dbus-1']],
  ['unix:abstract=/tmp/dbus-1,guid=00ff', ['\0/tmp/dbus-1']],
  ['unix:path=/tmp/dbus-1;unix:abstract=b', ['/tmp/dbus-1', '\0b']],
  ['tcp:host=127.0.0.1,port=1;autolaunch:;unix:path=/tmp/dbus-1', ['/tmp/dbus-1']],
  ['disabled:', []],
  ['unixexec:path=/usr/bin/id', []],
  ['unix:path=bus', []],
  ['unix:path=', []],
  ['unix:abstract=', []],
  ['unix:path=%zz', []],
  ['unix:path', []],
  ['unix:', []],
  ['/run/user/1000/bus', []],
])('findSessionBus for the address %s is %j', (address, sockets) => {
  const environment = { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: folder }
  expect(findSessionBus(environment)).toEqual(sockets)
})

test('findSessionBus finds none without an address and a runtime folder', () => {
  expect(findSessionBus({})).toEqual([])
  expect(findSessionBus({ XDG_RUNTIME_DIR: 'relative' })).toEqual([])
})
