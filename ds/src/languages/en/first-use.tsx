/** The texts of the first steps. */
import type { Child } from 'hono/jsx'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('en-US')

export const firstUse = {
  title: 'First steps',
  about:
    'Five steps take you from a new service to a site that uses cards. You can also complete these steps later.',
  complete: (devices: Wrap, overview: Wrap) => (
    <>
      Setup complete. Your first connector is registered. {devices('View the devices')}, or go to
      the {overview('overview')}.
    </>
  ),
  done: 'Done',
  steps: {
    organization: 'Add an organization',
    label: 'Add an application',
    version: 'Register a connector version',
    allowlist: 'Allow sites',
    device: 'Register the first connector',
  },
  organization: {
    about:
      'Applications belong to an organization, such as yours or a customer’s. The service derives the organization’s ID from the name you enter now. The ID never changes.',
    name: 'Organization name',
    button: 'Add organization',
  },
  label: {
    about: (organization: string) =>
      `The application belongs to ${organization}. It gets an API key that only its back end knows. Card usage is counted by application.`,
    name: 'Application name',
    button: 'Add application and show its key',
    doneTitle: (name: string) => `Application “${name}” added`,
    keyWarning: (mark: Wrap) => (
      <>Copy this {mark('API key')} now. It won’t be shown again. Save it in a password manager.</>
    ),
    copyKey: 'Copy API key',
    keyUse: (header: Child) => (
      <>
        The back end of the application sends the key in the {header} header to get tokens. Never
        expose it in a web page.
      </>
    ),
  },
  version: {
    about:
      'Users download the connector from this service. Add an installer (an uploaded file or a URL) for each operating system you support. Older connectors will suggest an update to this version.',
    noFiles: (link: Wrap) => (
      <>No files uploaded yet. {link('Upload an installer')}, or enter URLs.</>
    ),
    files: (total: number, link: Wrap) => (
      <>
        {count(total, 'file is', 'files are')} available. {link('Upload another')}.
      </>
    ),
    id: 'Version',
    idHint: 'The version of the installers, for example 4.0.0',
    installer: (system: string) => `Installer for ${system}`,
    installerMissing: 'Add an installer for at least one operating system',
    button: 'Register version',
    doneTitle: (id: string) => `Version ${id} registered`,
    keyWarning: (mark: Wrap) => (
      <>
        Copy this {mark('installation key')} now. It won’t be shown again. Save it in a password
        manager.
      </>
    ),
    copyKey: 'Copy installation key',
    keyUse: (setting: Child) => <>Connectors register with this key. Set it as {setting}.</>,
  },
  allowlist: {
    about: (version: string) =>
      `Connectors with version ${version} accept only these origins, and only after the user consents.`,
    origins: 'Origins',
    originsHint:
      'One per line, such as https://shop.example, or https://*.bank.example for all its subdomains.',
    button: 'Allow these sites',
  },
  device: {
    about:
      'On a user’s computer, set these two settings, then run the installer. The second setting is the installation key that you copied in step 3.',
    copyUrl: 'Copy URL setting',
    download: (link: Child) => (
      <>
        Anyone can download the installer from {link}. This page shows the connector as soon as it
        registers.
      </>
    ),
    places: {
      caption: 'Where the two settings go',
      head: ['Operating system', 'Location'],
      windows: (key: Child) => <>String values (REG_SZ) in {key}</>,
      linux: (file: Child) => <>One line per setting in {file}, which root must own</>,
      mac: (command: Child) => <>Run {command} for each setting</>,
    },
    registered: 'A connector has registered. Refresh this page.',
    none: 'No connectors have registered or been rejected yet.',
    refused: (address: string, time: string, reason: string) =>
      `No connectors have registered yet. One from ${address} was rejected on ${time}. ${reason}`,
    refresh: (link: Wrap, refusals: Wrap) => (
      <>
        {link('Refresh')}, or review {refusals('rejected registrations')}.
      </>
    ),
  },
  next: 'Continue',
}
