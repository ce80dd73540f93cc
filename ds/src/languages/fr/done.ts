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
  endAdministratorSessions: 'Toutes les sessions ont été fermées.',
  endAdministratorSession: 'Session fermée.',
  resetSecondFactor: 'Authentification à deux facteurs réinitialisée.',
  removeAdministrator: 'Compte supprimé.',
  putInstaller: 'Fichier importé.',
  deleteInstaller: 'Fichier supprimé.',
  deleteVersion: 'Version supprimée.',
  putRollout: 'Déploiement enregistré. Il n’a pas encore démarré.',
  startRollout: 'Déploiement démarré.',
  resumeRollout: 'Déploiement repris.',
  pauseRollout: 'Déploiement mis en pause.',
  haltRollout: 'Déploiement arrêté.',
  finishRollout: 'Déploiement terminé.',
  deleteRollout: 'Déploiement supprimé.',
}
