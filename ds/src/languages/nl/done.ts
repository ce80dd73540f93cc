/** What a page says after a change, in Dutch. */
import type { Texts } from '../en/catalog.ts'

export const done: Texts['done'] = {
  putOrganization: 'De organisatie is opgeslagen.',
  deleteOrganization: 'De organisatie is verwijderd.',
  putLabel: 'De toepassing is opgeslagen.',
  revokeLabelKey: 'De API-sleutel is ingetrokken.',
  deleteLabel: 'De toepassing is verwijderd.',
  rotateSigningKey: 'De ondertekenings\u00adsleutel is geroteerd.',
  deleteSigningKey: 'De ondertekenings\u00adsleutel is ingetrokken.',
  changeRole: 'De rol is gewijzigd.',
  endAdministratorSessions: 'Alle sessies zijn beëindigd.',
  endAdministratorSession: 'De sessie is beëindigd.',
  resetSecondFactor: 'Tweefactor\u00adauthenticatie is gereset.',
  removeAdministrator: 'Het account is verwijderd.',
  putInstaller: 'Het bestand is geüpload.',
  deleteInstaller: 'Het bestand is verwijderd.',
  deleteVersion: 'De versie is verwijderd.',
  putRollout: 'De uitrol is opgeslagen. De uitrol is nog niet gestart.',
  startRollout: 'De uitrol is gestart.',
  resumeRollout: 'De uitrol is hervat.',
  pauseRollout: 'De uitrol is gepauzeerd.',
  haltRollout: 'De uitrol is stopgezet.',
  finishRollout: 'De uitrol is voltooid.',
  deleteRollout: 'De uitrol is verwijderd.',
}
