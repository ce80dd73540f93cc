/** The texts of the download page. */

export const download = {
  title: 'Download Cardwire',
  otherComputer: 'For another computer',
  noInstaller: (system: string) =>
    `There is no installer for ${system} yet. Ask the organization that sent you here when it will be available.`,
  fileMissing: (system: string) =>
    `The installer for ${system} can’t be downloaded right now. Try again later. If that doesn’t help, contact the organization that sent you here.`,
  choose:
    'We couldn’t tell what kind of computer this is. Phones and tablets can’t run Cardwire. Choose the computer that has your card reader:',
  nothing: 'There is nothing to download yet.',
  package: (system: string, kind: string, architecture: string) =>
    `${system}: ${kind} (${architecture})`,
}
