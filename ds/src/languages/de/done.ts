/** What a page says after a change, in German. */
import type { Texts } from '../en/catalog.ts'

export const done: Texts['done'] = {
  putOrganization: 'Die Organisation wurde gespeichert.',
  deleteOrganization: 'Die Organisation wurde entfernt.',
  putLabel: 'Die Anwendung wurde gespeichert.',
  revokeLabelKey: 'Der API-Schlüssel wurde widerrufen.',
  deleteLabel: 'Die Anwendung wurde entfernt.',
  rotateSigningKey: 'Der Signaturschlüssel wurde rotiert.',
  deleteSigningKey: 'Der Signaturschlüssel wurde widerrufen.',
  changeRole: 'Die Rolle wurde geändert.',
  endAdministratorSessions: 'Alle Sitzungen wurden beendet.',
  endAdministratorSession: 'Die Sitzung wurde beendet.',
  resetSecondFactor: 'Die Zwei-Faktor-Authentifizierung wurde zurückgesetzt.',
  removeAdministrator: 'Das Konto wurde entfernt.',
  putInstaller: 'Die Datei wurde hochgeladen.',
  deleteInstaller: 'Die Datei wurde entfernt.',
  deleteVersion: 'Die Version wurde entfernt.',
  putRollout: 'Der Rollout wurde gespeichert. Er wurde noch nicht gestartet.',
  startRollout: 'Der Rollout wurde gestartet.',
  resumeRollout: 'Der Rollout wurde fortgesetzt.',
  pauseRollout: 'Der Rollout wurde pausiert.',
  haltRollout: 'Der Rollout wurde gestoppt.',
  finishRollout: 'Der Rollout wurde abgeschlossen.',
  deleteRollout: 'Der Rollout wurde entfernt.',
}
