/** What an update says in windows, in the languages that we have; a terminal has it in English. */
import type { Verdict } from '@cardwire/client/protocol'
import type { Language } from '../user/dialogs/language.ts'

export interface UpdateTexts {
  readonly title: string
  readonly accept: string
  readonly refuse: string
  readonly unmanaged: string
  readonly unregistered: string
  readonly unanswered: (reason: string) => string
  readonly unknown: string
  readonly current: (version: string) => string
  readonly missing: string
  /** Of the version that runs. */
  readonly verdict: Readonly<
    Record<Exclude<Verdict['action'], 'none'>, (version: string) => string>
  >
  /** `what`: the version with its size and address. */
  readonly downloading: (what: string) => string
  readonly withoutDigest: string
  readonly older: (version: string) => string
  readonly question: (version: string) => string
  readonly nothing: string
  /** `reason`: in English, for whoever helps. */
  readonly failed: (reason: string) => string
  readonly withoutInstaller: (path: string) => string
  readonly needsAdministrator: (command: string) => string
  readonly installed: (version: string) => string
  /** Another version than the one that was asked for. */
  readonly otherInstalled: (version: string) => string
  readonly ended: (status: number) => string
}

const english: UpdateTexts = {
  title: 'Cardwire update',
  accept: 'Install',
  refuse: 'Cancel',
  unmanaged: 'This connector has no distribution service: get updates from where you got it.',
  unregistered:
    'This connector is not registered with its service: start it, cardwire run; cardwire doctor says more.',
  unanswered: (reason) =>
    `The service does not say which version it wants; cardwire doctor says what to do: ${reason}`,
  unknown: 'The service has no policy for this version yet: cardwire sync says why.',
  current: (version) =>
    `Version ${version} is the one that the service wants: there is nothing to update.`,
  missing: 'There is no installer for this system: ask your administrator.',
  verdict: {
    recommend: (version) => `Another version is recommended over ${version}.`,
    require: (version) => `Version ${version} is too old to be used.`,
    stop: (version) => `Version ${version} may not be used any more.`,
  },
  downloading: (what) => `Downloading: ${what}`,
  withoutDigest: 'The service names no digest for it',
  older: (version) => `It is older than ${version}`,
  question: (version) => `Install version ${version} now?`,
  nothing: 'Nothing was installed.',
  failed: (reason) => reason,
  withoutInstaller: (path) => `There is no installer program on this system; the file is ${path}`,
  needsAdministrator: (command) => `An administrator has to install it: ${command}`,
  installed: (version) => `Version ${version} is installed.`,
  otherInstalled: (version) =>
    `The installer has ended, and the version that is installed is ${version}.`,
  ended: (status) => `The installer ended with status ${status}.`,
}

const dutch: UpdateTexts = {
  title: 'Update van Cardwire',
  accept: 'Installeren',
  refuse: 'Annuleren',
  unmanaged:
    'Cardwire heeft geen dienst die updates aanbiedt: haal ze waar u Cardwire gehaald hebt.',
  unregistered:
    'Cardwire is niet aangemeld bij zijn dienst: start het. Helpt dat niet, vraag het dan uw beheerder.',
  unanswered: (reason) =>
    `De dienst zegt niet welke versie gewenst is. Vraag het uw beheerder. (${reason})`,
  unknown: 'De dienst heeft nog geen regels voor deze versie. Probeer het later opnieuw.',
  current: (version) => `Versie ${version} is de gewenste versie: er is niets bij te werken.`,
  missing: 'Er is geen installatieprogramma voor dit systeem: vraag het uw beheerder.',
  verdict: {
    recommend: (version) => `Een andere versie dan ${version} wordt aanbevolen.`,
    require: (version) => `Versie ${version} is te oud om te gebruiken.`,
    stop: (version) => `Versie ${version} mag niet meer gebruikt worden.`,
  },
  downloading: (what) => `Wordt gedownload: ${what}`,
  withoutDigest: 'De dienst noemt er geen controlegetal voor',
  older: (version) => `Ze is ouder dan ${version}`,
  question: (version) => `Versie ${version} nu installeren?`,
  nothing: 'Er is niets geïnstalleerd.',
  failed: (reason) => `Er is niets geïnstalleerd. (${reason})`,
  withoutInstaller: (path) =>
    `Dit systeem heeft er geen installatieprogramma voor; het bestand is ${path}`,
  needsAdministrator: (command) => `Een beheerder moet het installeren: ${command}`,
  installed: (version) => `Versie ${version} is geïnstalleerd.`,
  otherInstalled: (version) =>
    `De installatie is afgelopen, en versie ${version} is geïnstalleerd.`,
  ended: (status) => `De installatie is mislukt, met status ${status}.`,
}

const french: UpdateTexts = {
  title: 'Mise à jour de Cardwire',
  accept: 'Installer',
  refuse: 'Annuler',
  unmanaged: 'Cardwire n’a pas de service de mise à jour : adressez-vous là où vous l’avez obtenu.',
  unregistered:
    'Cardwire n’est pas inscrit auprès de son service : démarrez-le. Si cela n’aide pas, demandez à votre administrateur.',
  unanswered: (reason) =>
    `Le service ne dit pas quelle version il veut. Demandez à votre administrateur. (${reason})`,
  unknown: 'Le service n’a pas encore de règles pour cette version. Réessayez plus tard.',
  current: (version) =>
    `La version ${version} est celle que le service veut : rien à mettre à jour.`,
  missing: 'Il n’y a pas d’installateur pour ce système : demandez à votre administrateur.',
  verdict: {
    recommend: (version) => `Une autre version que ${version} est recommandée.`,
    require: (version) => `La version ${version} est trop ancienne pour être utilisée.`,
    stop: (version) => `La version ${version} ne peut plus être utilisée.`,
  },
  downloading: (what) => `Téléchargement : ${what}`,
  withoutDigest: 'Le service n’en donne pas l’empreinte',
  older: (version) => `Elle est plus ancienne que ${version}`,
  question: (version) => `Installer la version ${version} maintenant ?`,
  nothing: 'Rien n’a été installé.',
  failed: (reason) => `Rien n’a été installé. (${reason})`,
  withoutInstaller: (path) =>
    `Ce système n’a pas de programme pour l’installer ; le fichier est ${path}`,
  needsAdministrator: (command) => `Un administrateur doit l’installer : ${command}`,
  installed: (version) => `La version ${version} est installée.`,
  otherInstalled: (version) =>
    `L’installation est terminée, et la version installée est ${version}.`,
  ended: (status) => `L’installation a échoué, avec le statut ${status}.`,
}

const german: UpdateTexts = {
  title: 'Aktualisierung von Cardwire',
  accept: 'Installieren',
  refuse: 'Abbrechen',
  unmanaged:
    'Cardwire hat keinen Dienst, der Aktualisierungen anbietet: Holen Sie sie dort, wo Sie Cardwire bekommen haben.',
  unregistered:
    'Cardwire ist bei seinem Dienst nicht angemeldet: Starten Sie es. Hilft das nicht, fragen Sie Ihren Administrator.',
  unanswered: (reason) =>
    `Der Dienst sagt nicht, welche Version er will. Fragen Sie Ihren Administrator. (${reason})`,
  unknown:
    'Der Dienst hat noch keine Regeln für diese Version. Versuchen Sie es später noch einmal.',
  current: (version) =>
    `Version ${version} ist die, die der Dienst will: Es gibt nichts zu aktualisieren.`,
  missing: 'Für dieses System gibt es kein Installationsprogramm: Fragen Sie Ihren Administrator.',
  verdict: {
    recommend: (version) => `Eine andere Version als ${version} wird empfohlen.`,
    require: (version) => `Version ${version} ist zu alt, um benutzt zu werden.`,
    stop: (version) => `Version ${version} darf nicht mehr benutzt werden.`,
  },
  downloading: (what) => `Wird heruntergeladen: ${what}`,
  withoutDigest: 'Der Dienst nennt keine Prüfsumme dafür',
  older: (version) => `Sie ist älter als ${version}`,
  question: (version) => `Version ${version} jetzt installieren?`,
  nothing: 'Es wurde nichts installiert.',
  failed: (reason) => `Es wurde nichts installiert. (${reason})`,
  withoutInstaller: (path) =>
    `Dieses System hat kein Programm, das sie installiert; die Datei ist ${path}`,
  needsAdministrator: (command) => `Ein Administrator muss sie installieren: ${command}`,
  installed: (version) => `Version ${version} ist installiert.`,
  otherInstalled: (version) =>
    `Die Installation ist zu Ende, und installiert ist Version ${version}.`,
  ended: (status) => `Die Installation ist fehlgeschlagen, mit Status ${status}.`,
}

export const updateTexts: Readonly<Record<Language, UpdateTexts>> = {
  en: english,
  nl: dutch,
  fr: french,
  de: german,
}
