/** What the window of a verdict says, in the languages that we have. */
import type { Language } from '../../user/dialogs/language.ts'

export interface VerdictTexts {
  readonly canBeUpdated: string
  readonly mustBeUpdated: string
  /** Of the version that runs. */
  readonly recommend: (version: string) => string
  readonly require: (version: string) => string
  readonly stop: (version: string) => string
  readonly install: (version: string) => string
  readonly canBeInstalled: (version: string) => string
  readonly askAdministrator: string
}

export const verdictTexts: Readonly<Record<Language, VerdictTexts>> = {
  en: {
    canBeUpdated: 'Cardwire can be updated',
    mustBeUpdated: 'Cardwire has to be updated',
    recommend: (version) =>
      `Version ${version} of Cardwire runs on this machine, and another one is recommended.`,
    require: (version) => `Version ${version} of Cardwire is too old to be used, and ends now.`,
    stop: (version) => `Version ${version} of Cardwire may not be used any more, and ends now.`,
    install: (version) => `Install ${version}`,
    canBeInstalled: (version) =>
      `Version ${version} can be installed now. The system asks for an administrator.`,
    askAdministrator: 'Ask your administrator for another version.',
  },
  nl: {
    canBeUpdated: 'Cardwire kan bijgewerkt worden',
    mustBeUpdated: 'Cardwire moet bijgewerkt worden',
    recommend: (version) =>
      `Versie ${version} van Cardwire draait op deze computer, en een andere wordt aanbevolen.`,
    require: (version) => `Versie ${version} van Cardwire is te oud om te gebruiken en stopt nu.`,
    stop: (version) => `Versie ${version} van Cardwire mag niet meer gebruikt worden en stopt nu.`,
    install: (version) => `${version} installeren`,
    canBeInstalled: (version) =>
      `Versie ${version} kan nu geïnstalleerd worden. Het systeem vraagt om een beheerder.`,
    askAdministrator: 'Vraag uw beheerder om een andere versie.',
  },
  fr: {
    canBeUpdated: 'Cardwire peut être mis à jour',
    mustBeUpdated: 'Cardwire doit être mis à jour',
    recommend: (version) =>
      `La version ${version} de Cardwire est en service sur cet ordinateur, et une autre est recommandée.`,
    require: (version) =>
      `La version ${version} de Cardwire est trop ancienne pour être utilisée et s’arrête maintenant.`,
    stop: (version) =>
      `La version ${version} de Cardwire ne peut plus être utilisée et s’arrête maintenant.`,
    install: (version) => `Installer ${version}`,
    canBeInstalled: (version) =>
      `La version ${version} peut être installée maintenant. Le système demande un administrateur.`,
    askAdministrator: 'Demandez une autre version à votre administrateur.',
  },
  de: {
    canBeUpdated: 'Cardwire kann aktualisiert werden',
    mustBeUpdated: 'Cardwire muss aktualisiert werden',
    recommend: (version) =>
      `Auf diesem Computer läuft Version ${version} von Cardwire, und eine andere wird empfohlen.`,
    require: (version) =>
      `Version ${version} von Cardwire ist zu alt, um benutzt zu werden, und endet jetzt.`,
    stop: (version) =>
      `Version ${version} von Cardwire darf nicht mehr benutzt werden und endet jetzt.`,
    install: (version) => `${version} installieren`,
    canBeInstalled: (version) =>
      `Version ${version} kann jetzt installiert werden. Das System fragt nach einem Administrator.`,
    askAdministrator: 'Fragen Sie Ihren Administrator nach einer anderen Version.',
  },
}
