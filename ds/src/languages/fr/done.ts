/** What a page says after a change, in French. */
import type { Texts } from '../en/catalog.ts'

export const done: Texts['done'] = {
  putOrganization: 'Organisation enregistrée.',
  deleteOrganization: 'Organisation supprimée.',
  putLabel: 'Application enregistrée.',
  revokeLabelKey: 'Clé d’API révoquée.',
  deleteLabel: 'Application supprimée.',
  rotateSigningKey: 'Clé de signature renouvelée.',
  deleteSigningKey: 'Clé de signature révoquée.',
  changeRole: 'Rôle modifié.',
  endAdministratorSessions: 'Sessions fermées.',
  resetSecondFactor: 'Authentification à deux facteurs réinitialisée.',
  removeAdministrator: 'Administrateur supprimé.',
  putInstaller: 'Programme d’installation importé.',
  deleteInstaller: 'Programme d’installation supprimé.',
  deleteVersion: 'Version supprimée.',
}
