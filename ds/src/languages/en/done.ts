/** What a page says after a change, by the name of its operation. */

export const done = {
  addOrganization: 'Organization added.',
  /** The name is all that a form changes. */
  putOrganization: 'Organization renamed.',
  deleteOrganization: 'Organization removed.',
  putLabel: 'Application renamed.',
  revokeLabelKey: 'API key revoked.',
  deleteLabel: 'Application removed.',
  rotateSigningKey: 'Signing key rotated.',
  deleteSigningKey: 'Signing key revoked.',
  changeRole: 'Role changed.',
  endAdministratorSessions: 'All sessions ended.',
  /** The same with the ID of one. */
  endAdministratorSession: 'Session ended.',
  resetSecondFactor: 'Two-factor authentication reset.',
  removeAdministrator: 'Account removed.',
  putInstaller: 'File uploaded.',
  deleteInstaller: 'File removed.',
  deleteVersion: 'Version removed.',
  addGroup: 'Group created.',
  putGroup: 'Group changed.',
  deleteGroup: 'Group removed.',
  putDeviceTags: 'Tags changed.',
  addRollout: 'Rollout created. It hasn’t started yet.',
  putRollout: 'Rollout changed. It hasn’t started yet.',
  startRollout: 'Rollout started.',
  resumeRollout: 'Rollout resumed.',
  pauseRollout: 'Rollout paused.',
  haltRollout: 'Rollout halted.',
  finishRollout: 'Rollout finished.',
  deleteRollout: 'Rollout removed.',
}
