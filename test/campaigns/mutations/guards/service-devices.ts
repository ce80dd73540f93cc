/** Guards of the distribution service against devices, holders of installation keys, and mistakes that stop a fleet. */
import type { Guard } from '../guard.ts'

const assertions = 'ds/src/rules/assertion.ts'
const counters = 'ds/src/sync/count-batches.ts'
const logs = 'ds/src/routes/device-logs.ts'
const overTime = ['ds/test/devices-over-time.test.ts'] as const
const countersSuite = ['ds/test/suites/counters.suite.ts'] as const
const waitTests = ['ds/test/waits.test.ts'] as const
const assertionTests = ['ds/src/rules/assertion.test.ts'] as const

export const serviceDeviceGuards: readonly Guard[] = [
  {
    rule: 'versions-flood',
    file: 'ds/src/sync/implicit-version.ts',
    search: ' and (${unattended}) < ${maxUnattended}`',
    replace: ' and (${unattended}) >= 0`',
    tests: overTime,
  },
  {
    rule: 'assertion-elsewhere',
    file: assertions,
    search: '        : claims.htm !== expected.method ||\n            claims.htu !==',
    replace: '        : claims.htu !==',
    tests: assertionTests,
  },
  {
    rule: 'assertion-elsewhere',
    file: assertions,
    search: 'claims.htu !== createTargetUri(expected.audience, expected.path)',
    replace: "claims.htu === ''",
    tests: assertionTests,
  },
  {
    rule: 'assertion-elsewhere',
    file: assertions,
    search: ' || claims.exp > claims.iat + assertionKind.lifetimeS',
    replace: '',
    tests: assertionTests,
  },
  {
    rule: 'assertion-elsewhere',
    file: assertions,
    search: '  if (claims.exp * 1000 < expected.now) {',
    replace: '  if (claims.exp < 0) {',
    tests: assertionTests,
  },
  {
    rule: 'assertion-elsewhere',
    file: assertions,
    search: '  if (made <= expected.newest && ',
    replace: '  if (made <= 0 && ',
    tests: assertionTests,
  },
  {
    rule: 'assertion-elsewhere',
    file: 'ds/src/auth/assertion.ts',
    search: '  if (digest !== bodyDigest)\n',
    replace: "  if (digest === '')\n",
    tests: ['ds/test/suites/replay.suite.ts'],
  },
  {
    rule: 'wait-of-another',
    file: 'ds/src/sync/replay-guard.ts',
    search: '    if (last !== undefined && at <= last && ',
    replace: '    if (last !== undefined && at < 0 && ',
    tests: waitTests,
  },
  {
    rule: 'waits-flood',
    file: 'ds/src/sync/waiters.ts',
    search: '      if (waiters.size >= settings.waits) throw createFullProblem()\n',
    replace: '',
    tests: waitTests,
  },
  {
    rule: 'waits-flood',
    file: 'ds/src/sync/waiters.ts',
    search: '      waiters.get(device.id)?.answer(sendAway(pauseS.stopped))\n',
    replace: '',
    tests: waitTests,
  },
  {
    rule: 'wake-herd',
    file: 'ds/src/sync/waiters.ts',
    search: 'turn * findSpreadS(devices, settings.wakeRate)',
    replace: '0 * turn * devices',
    tests: waitTests,
  },
  {
    rule: 'wake-herd',
    file: 'ds/src/rules/news.ts',
    search: " || access === 'registration')",
    replace: ')',
    tests: ['ds/src/rules/news.test.ts', ...waitTests],
  },
  {
    rule: 'devices-flood',
    file: 'ds/src/rules/new-device-limits.ts',
    search: '      limit: devicesPerAddress,\n',
    replace: '      limit: devicesPerAddress + 1_000_000,\n',
    tests: overTime,
  },
  {
    rule: 'devices-flood',
    file: 'ds/src/rules/new-device-limits.ts',
    search: '      limit: devicesPerKey,\n',
    replace: '      limit: devicesPerKey + 1_000_000,\n',
    tests: overTime,
  },
  {
    rule: 'devices-flood',
    file: 'ds/src/auth/authorize.ts',
    search: "  await enforceLimit(limits, 'registration', address, action)\n",
    replace: '',
    tests: overTime,
  },
  {
    rule: 'devices-flood',
    file: logs,
    search:
      "    await enforceLimit(limits, 'failure', `logs of ${address}`, 'store so many logs')\n",
    replace: '',
    tests: overTime,
  },
  {
    rule: 'devices-flood',
    file: logs,
    search: '        removeOldest,\n',
    replace: '',
    tests: overTime,
  },
  {
    rule: 'logs-read',
    file: 'ds/src/db/delete-beyond.ts',
    search: '    sql`${time} <= ${selectTimeBeyond(',
    replace: '    sql`${time} + 0 <= ${selectTimeBeyond(',
    tests: ['ds/test/large-logs.test.ts'],
  },
  {
    rule: 'devices-flood',
    file: counters,
    search: '        where ${isCounted} and ${isKnownLabel}\n',
    replace: '        where ${isCounted}\n',
    tests: countersSuite,
  },
  {
    rule: 'devices-flood',
    file: counters,
    search: '        select ${countedDay}, ',
    replace: "        select ${field('day')}, ",
    tests: countersSuite,
  },
  {
    rule: 'devices-flood',
    file: counters,
    search: 'sql`${isRecorded} and ${isWithinQuota(quota, entries, limit)}`',
    replace: 'isRecorded',
    tests: countersSuite,
  },
  {
    rule: 'keystore-by-installation-key',
    file: 'ds/src/routes/device-keystore.ts',
    search: '    if (!approved) {\n',
    replace: '    if (approved === undefined) {\n',
    tests: overTime,
  },
  {
    rule: 'keystore-by-installation-key',
    file: 'ds/src/sync/policy.ts',
    search: 'isApproved && keystore ? ',
    replace: 'keystore ? ',
    tests: overTime,
  },
  {
    rule: 'stamped-key-public',
    file: 'ds/src/routes/register-device.ts',
    search: '!(settings.deviceApproval || isPublic)',
    replace: '!settings.deviceApproval',
    tests: overTime,
  },
  {
    rule: 'stamped-key-public',
    file: 'ds/src/settings.ts',
    search: "  if (env.DS_STAMP_INSTALLERS === 'on' && env.DS_DEVICE_APPROVAL === 'off') {",
    replace: "  if (env.DS_STAMP_INSTALLERS === 'on' && env.DS_DEVICE_APPROVAL === 'never') {",
    tests: ['ds/src/settings.test.ts'],
  },
  {
    rule: 'stamped-key-public',
    file: 'ds/src/settings.ts',
    search: '(env.DS_DEVICE_APPROVAL ?? env.DS_STAMP_INSTALLERS)',
    replace: 'env.DS_DEVICE_APPROVAL',
    tests: ['ds/src/settings.test.ts'],
  },
  {
    rule: 'manifest-offset-wrong',
    file: 'ds/src/routes/embed-settings.ts',
    search:
      '  if (isFitting && isEmptySlot(await readBytes(file, offset, length))) return offset\n',
    replace: '  if (isFitting) return offset\n',
    tests: ['ds/test/suites/stamping.suite.ts'],
  },
  {
    rule: 'manifest-offset-wrong',
    file: 'ds/src/routes/sync.ts',
    search: '(settings.embedSettings ? createUpdateUrl : createInstallerUrl)',
    replace: 'createInstallerUrl',
    tests: ['ds/test/suites/stamping.suite.ts'],
  },
  {
    rule: 'blocked-device-waits',
    file: 'ds/src/sync/record-sync.ts',
    search: '  isRecent(assertion.audit, values.now) &&\n',
    replace: '',
    tests: ['ds/test/devices-database-writes.test.ts'],
  },
  {
    rule: 'fleet-stopped',
    file: 'ds/src/routes/count-affected.ts',
    search: '  if (reach <= max) return\n',
    replace: '  if (reach >= 0) return\n',
    tests: ['ds/test/suites/reach.suite.ts'],
  },
  {
    rule: 'device-name-markup',
    file: 'ds/src/rules/csv.ts',
    search: "startOfCell.test(cell) ? `'${inside}` : inside",
    replace: 'inside',
    tests: ['ds/test/suites/device-search.suite.ts'],
  },
  {
    rule: 'summary-large',
    file: 'ds/src/routes/device-summary.ts',
    search: 'sorted.slice(0, maxSummarizedVersions)',
    replace: 'sorted',
    tests: ['ds/test/long-reads.test.ts'],
  },
]
