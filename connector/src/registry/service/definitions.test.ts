/** The definitions of the service, checked by their own systems or by an independent parser. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { maxHeaderBytes } from '../../../build/compile.ts'
import { createLaunchdPlist } from './launchd.ts'
import { createSystemdUnit } from './systemd.ts'
import { createWindowsTaskXml } from './windows-task.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-service-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, text: string | Buffer) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('unit of systemd', () => {
  test('passes systemd-analyze verify', () => {
    // It looks for the program, too.
    const path = file(
      'cardwire-registry.service',
      createSystemdUnit('/bin/true', '/var/lib/cardwire'),
    )
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', path], {
      encoding: 'utf8',
    })
    expect([
      status,
      `${stdout}${stderr}`.split('\n').filter((line) => line.includes(path)),
    ]).toEqual([0, []])
  })

  test('has an exposure level below 2', () => {
    proves('registry-exploited')
    const path = file(
      'cardwire-registry.service',
      createSystemdUnit('/bin/true', '/var/lib/cardwire'),
    )
    const { stdout } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', path],
      { encoding: 'utf8' },
    )
    const exposure = Number(/exposure level.*?: ([\d.]+)/.exec(stdout)?.[1])
    // systemd calls everything under 4 "OK" and under 2 "SAFE".
    expect(exposure).toBeLessThan(2)
  })

  test('runs as its own account, in a folder of its own, and is restarted', () => {
    const unit = createSystemdUnit('/usr/bin/cardwire', '/var/lib/cardwire')
    for (const line of [
      'ExecStart="/usr/bin/cardwire" registry --service',
      'User=cardwire-registry',
      'StateDirectory=cardwire',
      'Restart=always',
      'RestartPreventExitStatus=78 3',
      'StartLimitIntervalSec=0',
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'PrivateDevices=yes',
      'CapabilityBoundingSet=',
      'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
      'SystemCallFilter=~@privileged @resources',
    ]) {
      expect(unit.split('\n')).toContain(line)
    }
  })

  test('lets the registry go out to its distribution service, wherever that is', () => {
    const unit = createSystemdUnit('/usr/bin/cardwire', '/var/lib/cardwire')
    expect(unit).not.toMatch(/^(IPAddressDeny|PrivateNetwork|RestrictNetworkInterfaces)=/m)
  })

  test('allows so many descriptors that headers of all connections need less than half of its memory', () => {
    proves('connections-flood')
    const unit = createSystemdUnit('/usr/bin/cardwire', '/var/lib/cardwire')
    const [, descriptors] = /^LimitNOFILE=(\d+)$/m.exec(unit) ?? []
    const [, gibibytes] = /^MemoryMax=(\d+)G$/m.exec(unit) ?? []
    expect(Number(descriptors) * maxHeaderBytes).toBeLessThan((Number(gibibytes) * 2 ** 30) / 2)
  })

  test('quotes names with spaces and special characters', () => {
    const unit = createSystemdUnit('/opt/100% "ours"/cardwire', '/srv/card wire')
    expect(unit).toContain('ExecStart="/opt/100%% \\"ours\\"/cardwire" registry')
    expect(unit).toContain('ReadWritePaths="/srv/card wire"')
  })
})

describe('property list of launchd', () => {
  test('defines program, account and restart', () => {
    const path = file(
      'plist',
      createLaunchdPlist('/Applications/A & B/cardwire', '/Library/Cardwire'),
    )
    const read =
      'import json,plistlib,sys; print(json.dumps(plistlib.load(open(sys.argv[1],"rb"))))'
    const { stdout } = spawnSync('python3', ['-c', read, path], { encoding: 'utf8' })
    expect(JSON.parse(stdout)).toEqual({
      Label: 'cardwire.registry',
      ProgramArguments: ['/Applications/A & B/cardwire', 'registry', '--service'],
      EnvironmentVariables: {
        CARDWIRE_MACHINE_DIR: '/Library/Cardwire',
        HOME: '/Library/Cardwire',
      },
      UserName: '_cardwire',
      GroupName: '_cardwire',
      RunAtLoad: true,
      // After an ordered end nothing starts it again.
      KeepAlive: { SuccessfulExit: false },
      Umask: 0o022,
      HardResourceLimits: { NumberOfFiles: 500 },
      SoftResourceLimits: { NumberOfFiles: 500 },
      ProcessType: 'Background',
    })
  })
})

describe('task of Windows', () => {
  test('starts at boot, as the local service, without a time limit', () => {
    const xml = createWindowsTaskXml('C:\\Program Files\\A & B\\cardwire.exe')
    const path = file(
      'task.xml',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml, 'utf16le')]),
    )
    const read = `
import json, sys, xml.etree.ElementTree as tree
name = '{http://schemas.microsoft.com/windows/2004/02/mit/task}'
root = tree.parse(sys.argv[1]).getroot()
value = lambda path: root.find('/'.join(name + part for part in path.split('/'))).text
print(json.dumps([root.tag.replace(name, ''), value('Triggers/BootTrigger/Enabled'),
  value('Principals/Principal/UserId'), value('Principals/Principal/RunLevel'),
  value('Settings/ExecutionTimeLimit'), value('Settings/DisallowStartIfOnBatteries'),
  value('Settings/RestartOnFailure/Interval'), value('Actions/Exec/Command'), value('Actions/Exec/Arguments')]))`
    const { stdout, stderr } = spawnSync('python3', ['-c', read, path], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([
      'Task',
      'true',
      'S-1-5-19',
      'LeastPrivilege',
      'PT0S',
      'false',
      'PT1M',
      '"C:\\Program Files\\A & B\\cardwire.exe"',
      'registry --service',
    ])
  })
})
