/** The texts of the screens of counted uses and of downloads. */
import type { Child } from 'hono/jsx'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { choose, count, format } = createNumbers('en-US')

export const use = {
  title: 'Usage',
  about: (downloads: Wrap, organizations: Wrap) => (
    <>
      How often sites use card readers, per day (UTC). Without a filter, you see the last 30 days.{' '}
      {downloads('Installer downloads')} are counted separately. You can also see the{' '}
      {organizations('usage by organization')} in a month.
    </>
  ),
  empty: (applications: Wrap) => (
    <>
      No usage for this filter. When a page uses a card reader with the token of an{' '}
      {applications('application')}, the connector reports it at its next sync.
    </>
  ),
  total: (total: number, mark: Wrap) => (
    <>
      {mark(format(total))} {choose(total, 'use', 'uses')} in total.
    </>
  ),
  download: 'Download all as CSV',
  chart: {
    title: 'Usage per day',
    counted: 'Uses',
    description: (from: string, to: string, best: string, most: number) =>
      `From ${from} to ${to}. The busiest day was ${best}, with ${count(most, 'use', 'uses')}. The table below has all the numbers.`,
  },
  asTable: 'Show as table',
  day: 'Day',
  filters: {
    from: 'From',
    to: 'To',
    application: 'Application',
    module: 'Module',
    useCase: 'Use case',
    version: 'Version',
    system: 'System',
    all: 'All',
    apply: 'Apply',
    clear: 'Last 30 days',
  },
  counters: {
    caption: 'Usage by application',
    application: 'Application',
    noApplication: 'None',
    module: 'Module',
    useCase: 'Use case',
    tag: 'Billing tag',
    tagAbout:
      'Billing tags come from pages, which can send one with each request (X-T1C-BILLING-TAG).',
    uses: 'Uses',
  },
  /** What pages use, by its name in the API. */
  modules: {
    piv: 'PIV card',
    beid: 'Belgian identity card',
    openpgp: 'OpenPGP card',
    emv: 'Payment card',
    crelan: 'Payment card, Crelan',
    pkcs11: 'PKCS #11 library',
    fileexchange: 'Files',
    truststore: 'Windows certificates',
    rawprint: 'Printer',
    remoteloading: 'Card commands',
  },
  useCases: {
    'identity-read': 'Identity read',
    authentication: 'Authentication',
    signature: 'Signature',
    'pin-verification': 'PIN verification',
    'card-commands': 'Card commands',
    'file-download': 'File download',
    'file-upload': 'File upload',
    print: 'Printing',
  },
  organizations: {
    title: 'Usage by organization',
    about:
      'Uses and unique devices in a month (UTC). A unique device is one user’s connector on one computer. It counts once for each application, once for each organization, and once in the total, however often it is used.',
    month: 'Month',
    show: 'Show',
    empty: 'No usage in this month.',
    caption: 'Usage by organization and application',
    organization: 'Organization',
    none: 'None',
    application: 'Application',
    all: 'All applications',
    uses: 'Uses',
    devices: 'Unique devices',
    notCounted: 'Not counted',
    total: (uses: number, devices: number | null) =>
      devices === null
        ? `${count(uses, 'use', 'uses')} in total. Unique devices were not counted in this month.`
        : `${count(uses, 'use', 'uses')} by ${count(devices, 'unique device', 'unique devices')} in total.`,
  },
  downloads: {
    total: (total: number, mark: Wrap) => (
      <>
        {mark(format(total))} {choose(total, 'download', 'downloads')} in total.
      </>
    ),
    title: 'Installer downloads',
    about: 'Installers downloaded from this service, per day (UTC).',
    empty: (path: Child) => (
      <>
        No downloads for this filter. The URL {path} on this service sends each user the installer
        for their computer.
      </>
    ),
    chart: {
      title: 'Downloads per day',
      counted: 'Downloads',
      description: (from: string, to: string, best: string, most: number) =>
        `From ${from} to ${to}. The busiest day was ${best}, with ${count(most, 'download', 'downloads')}. The table below has all the numbers.`,
    },
    caption: 'Downloads by version and system',
    version: 'Version',
    system: 'System',
    count: 'Downloads',
  },
}
