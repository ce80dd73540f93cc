/** The texts of the screens of rollouts. */
import type { Child } from 'hono/jsx'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('en-US')

export const rollouts = {
  title: 'Rollouts',
  list: {
    about:
      'A rollout offers a version to a growing share of your devices. The service halts it if the version fails on too many of them.',
    empty:
      'A rollout offers a new version to a growing share of your devices, and compares them with devices that don’t have it yet. If the version fails on too many of them, the service halts the rollout and stops offering the version.',
    newLink: 'Create rollout',
    caption: 'Rollouts, newest first',
    columns: {
      version: 'Version',
      state: 'Status',
      share: 'Current share',
      reached: 'Devices reached',
      updated: 'Changed',
      actions: 'Actions',
    },
  },
  states: {
    draft: 'Not started',
    running: 'Running',
    paused: 'Paused',
    halted: 'Halted',
    finished: 'Finished',
  },
  /** `share`: of a group, as a percentage. */
  inGroup: {
    running: (share: string, group: string) =>
      `Running. ${share} of the devices in the group ${group} are offered the version.`,
    paused: (share: string, group: string) =>
      `Paused. ${share} of the devices in the group ${group} are still offered the version. The next stage doesn’t start until you resume the rollout.`,
  },
  /** `share`: of all devices, as a percentage. */
  inWords: {
    draft: (_share: string) => 'This rollout hasn’t started. No devices are offered the version.',
    running: (share: string) => `Running. ${share} of your devices are offered the version.`,
    paused: (share: string) =>
      `Paused. ${share} of your devices are still offered the version. The next stage doesn’t start until you resume the rollout.`,
    halted: (_share?: string) =>
      'Halted. The version is no longer offered. Devices that have it keep it.',
    finished: (_share: string) => 'Finished. The version is offered to all devices.',
  },
  halt: {
    byService: (time: Child) => <>Halted by the service, {time}.</>,
    byAdministrator: (who: string, time: Child) => (
      <>
        Halted by {who}, {time}.
      </>
    ),
    ratio: (ratio: string) => `The test ratio was ${ratio}.`,
    next: (link: Wrap) => (
      <>
        Check the {link('errors of the devices that have the version')}. To continue with the same
        version, resume the rollout. To replace it, register a new version and create a rollout for
        that one.
      </>
    ),
  },
  page: {
    title: (version: string) => `Rollout of version ${version}`,
    state: 'Status',
    version: 'Version',
    rates: 'Failure rates',
    ratesValue: (good: string, bad: string) => `Acceptable: ${good}, unacceptable: ${bad}`,
    editLink: 'Edit rollout',
  },
  stages: {
    title: 'Stages',
    caption: 'Stages of the rollout',
    stage: 'Stage',
    devices: 'Devices',
    share: 'Share of devices',
    hold: 'Hold time',
    when: 'Progress',
    about:
      'If you pause the rollout, these times are pushed back. A stage with more than 10% of your devices also waits until most devices with the version have had it for 5 days, so that the service knows which ones no longer sync.',
    done: 'Done',
    skipped: 'Skipped',
    current: { running: 'Current stage.', paused: 'Paused here.', halted: 'Halted here.' },
    nextAt: (time: Child) => <>Next stage: {time} at the earliest</>,
    finishes: (time: Child) => <>Finishes: {time}</>,
    startsAt: (time: Child) => <>Starts {time} at the earliest</>,
  },
  evidence: {
    title: 'Results',
    test: {
      title: 'Test ratio between its two limits',
      good: 'Good',
      bad: 'Halt',
      description: (ratio: string, good: string, bad: string) =>
        `The ratio is ${ratio}, between ${good} for a good version and ${bad}, where the rollout is halted.`,
      about: (ratio: string, good: string, bad: string) =>
        `The test ratio is ${ratio}. It rises with each device on which the version fails, and falls with each on which it works. At ${bad}, the service halts the rollout. At ${good}, the version counts as good.`,
      failed: (failures: string, tested: string) =>
        `Failures: ${failures} of ${tested} devices with a result.`,
      noControl:
        'There are no devices to compare with, so the service can’t halt the rollout in this stage. Check the failures yourself.',
      verdicts: {
        none: 'No results yet.',
        open: 'There are too few results to decide.',
        accept: 'The version looks good.',
        halt: 'The version fails too often.',
      },
    },
    table: {
      caption: 'Devices reached, and the comparison group',
      measure: 'Devices',
      reached: 'Reached',
      control: 'Comparison group',
      notOffered: 'Not offered',
      measures: {
        devices: 'Total',
        installed: 'Installed the version',
        successes: 'Working',
        faults: 'With a new error',
        wentBack: 'Went back to an earlier version',
        silent: 'No sync for 5 days',
      },
      about:
        'The comparison group isn’t offered the version. Problems that also occur there don’t count against the version.',
    },
  },
  /** How it went over time. */
  course: {
    title: 'Progress over time',
    about: {
      hour: 'The total number of devices, by hour.',
      day: 'The total number of devices at the end of each day (UTC).',
    },
    hour: 'Hour',
    devices: 'Devices over time',
    description: (from: string, to: string, last: string) =>
      `From ${from} to ${to}. At the end: ${last}.`,
    series: {
      offered: 'Offered',
      installed: 'Installed',
      successes: 'Working',
      failures: 'Failed',
      silent: 'No sync for 5 days',
    },
    ratio: 'Test ratio over time',
    ratioName: 'Test ratio',
    ratioDescription: (from: string, to: string, ratio: string) =>
      `From ${from} to ${to}. At the end, the test ratio is ${ratio}.`,
    notYet:
      'No devices have been offered the version yet. The charts appear once devices that the rollout has reached have synced.',
    none: 'No hourly data. No devices were offered the version, or an older version of the service ran the rollout.',
  },
  acts: {
    /** Where the version lacks an installer or an allowlist. */
    force: 'Continue anyway',
    /** After it was halted. */
    startsOver: 'The results so far are discarded, and the test starts over.',
    notPossible: (state: string) => `This isn’t possible now. Status of the rollout: ${state}.`,
    start: {
      title: (version: string) => `Start the rollout of version ${version}`,
      button: 'Start rollout',
      effects: ['The stages start one after the other, without further confirmation.'],
      wayBack:
        'You can pause or halt the rollout at any time. Devices that have installed the version keep it.',
    },
    resume: {
      title: (version: string) => `Resume the rollout of version ${version}`,
      button: 'Resume rollout',
      effects: [
        'The current stage starts again with its full hold time. The next stages follow without further confirmation.',
      ],
      wayBack:
        'You can pause or halt the rollout at any time. Devices that have installed the version keep it.',
    },
    pause: {
      title: (version: string) => `Pause the rollout of version ${version}`,
      button: 'Pause rollout',
      effects: [
        'The next stage doesn’t start.',
        'Devices that are offered the version now are still offered it.',
      ],
      wayBack: 'You can resume the rollout afterward.',
    },
    halt: {
      title: (version: string) => `Halt the rollout of version ${version}`,
      link: 'Halt',
      button: 'Halt rollout',
      effects: [
        'Starting with their next sync, devices are no longer offered the version.',
        'Devices that have installed the version keep it.',
      ],
      wayBack: 'You can resume the rollout afterward.',
    },
    finish: {
      title: (version: string) => `Finish the rollout of version ${version}`,
      button: 'Finish now',
      effects: [
        'The remaining stages are skipped. All devices are offered the version at their next sync.',
        'The service no longer watches for failures of this version.',
      ],
      wayBack:
        'A finished rollout can’t be resumed or halted. To stop offering the version, change its release settings.',
    },
  },
  reach: {
    stages: (devices: number) =>
      devices === 0
        ? 'No devices are affected.'
        : `${count(devices, 'device', 'devices')} will be offered the version, stage by stage.`,
    first: (devices: number, share: string) =>
      devices === 0
        ? `The stage that starts now (${share}) may not reach any of them.`
        : `The stage that starts now (${share}) reaches about ${format(devices)} of them.`,
    all: (devices: number) =>
      devices === 0
        ? 'No devices are affected.'
        : `${count(devices, 'device', 'devices')} will be offered the version at the next sync.`,
    /** By saving a draft, of devices whose version is blocked. */
    held: (devices: number) =>
      devices === 1
        ? '1 device would update to this version now. It waits until the rollout reaches it.'
        : `${format(devices)} devices would update to this version now. They wait until the rollout reaches them.`,
    /** By removing it. */
    released: (devices: number) =>
      devices === 1
        ? 'Without the rollout, 1 device updates to the version at its next sync.'
        : `Without the rollout, ${format(devices)} devices update to the version at their next sync.`,
  },
  /** For the devices that are reached. */
  effects: {
    recommended: (version: string) =>
      `The connectors on these devices suggest an update to version ${version}.`,
    mandatory: (version: string) =>
      `The connectors on these devices stop until they are updated to version ${version}.`,
  },
  remove: {
    title: (version: string) => `Remove the rollout of version ${version}`,
    about:
      'The version itself stays. Without a rollout, its release settings apply to all devices again.',
    /** Of one that was halted. */
    results: 'Its results are removed, too.',
    wayBack: 'This can’t be undone, but you can create the rollout again.',
    button: 'Remove rollout',
  },
  form: {
    newTitle: 'Create a rollout',
    editTitle: (version: string) => `Edit the rollout of version ${version}`,
    button: 'Save rollout',
    next: 'Saving doesn’t start the rollout. You start it on the next page.',
    confirmTitle: (version: string) => `Hold back version ${version}`,
    wayBack: 'You can edit or remove the rollout until you start it.',
    version: 'Version',
    versionHint: 'An allowed version that is neither suggested nor required.',
    noVersion:
      'There is no version to roll out. A version for a rollout must be allowed, neither suggested nor required, and later than the versions your devices update to now. Register the new version first.',
    flag: 'Release status',
    flags: {
      recommended: 'Suggested: connectors show an update prompt',
      mandatory: 'Required: connectors stop until they are updated',
    },
    stages: {
      legend: 'Stages',
      hint: 'Each stage reaches a larger share of all devices than the one before. The last one reaches 100%. The next stage starts after the hold time. Leave unused rows empty.',
      caption: 'Stages in order',
      stage: 'Stage',
      share: 'Share of devices (%)',
      hold: 'Hold time (hours)',
      devices: 'Devices',
      devicesOf: (stage: number) => `Devices in stage ${format(stage)}`,
      groupHint:
        'You can limit the first stages to a group. Their share is then a share of the devices in this group.',
      shareOf: (stage: number) => `Share of devices in stage ${format(stage)}, in percent`,
      holdOf: (stage: number) => `Hold time of stage ${format(stage)}, in hours`,
    },
    rates: {
      summary: 'Failure rates',
      about:
        'The service tests which of two rates fits the results better. The closer they are, the more devices the test needs.',
      good: 'Acceptable failure rate (%)',
      goodHint: 'A version can fail on up to this share of devices and still count as good.',
      bad: 'Unacceptable failure rate (%)',
      badHint:
        'A version that fails on this share of devices is bad. The service halts the rollout as soon as the results clearly fit this rate better than the other one.',
    },
  },
  /** On the page of a version. */
  ofVersion: {
    draft: (link: Wrap) => (
      <>This version has {link('a rollout')} that hasn’t started. No devices update to it yet.</>
    ),
    running: (link: Wrap) => (
      <>This version is in {link('a rollout')}. Only some of your devices are offered it.</>
    ),
    paused: (link: Wrap) => (
      <>This version is in {link('a rollout')} that is paused. Some devices are offered it.</>
    ),
    halted: (link: Wrap) => (
      <>This version is in {link('a rollout')} that was halted. No devices are offered it.</>
    ),
  },
}
