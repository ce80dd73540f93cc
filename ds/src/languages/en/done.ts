/** What a page says after a change, by the name of its operation. */

export const done = {
  putOrganization: 'Organization saved.',
  deleteOrganization: 'Organization removed.',
  putLabel: 'Application saved.',
  revokeLabelKey: 'API key revoked.',
  deleteLabel: 'Application removed.',
  rotateSigningKey: 'Signing key rotated.',
  deleteSigningKey: 'Signing key revoked.',
  changeRole: 'Role changed.',
  endAdministratorSessions: 'Sessions ended.',
  resetSecondFactor: 'Two-factor authentication reset.',
  removeAdministrator: 'Administrator removed.',
  putInstaller: 'Installer uploaded.',
  deleteInstaller: 'Installer removed.',
  deleteVersion: 'Version removed.',
}
