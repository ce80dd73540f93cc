/** What the windows say that ask for a folder, in the languages that we have. */
import { findByLanguage, type Language } from './language.ts'

interface FolderTexts {
  readonly title: (origin: string) => string
  readonly purpose: (origin: string) => string
  /** What the page may do there, and for how long. */
  readonly extent: string
  readonly question: string
  readonly accept: string
  readonly refuse: string
  /** Of a folder that no page may have. */
  readonly unsuitable: string
  readonly choose: string
  readonly stop: string
}

const texts: Readonly<Record<Language, FolderTexts>> = {
  en: {
    title: (origin) => `${origin}: folder whose files it may read and write`,
    purpose: (origin) => `${origin} may then read and write files in this folder:`,
    extent:
      'That includes all folders in it. It can neither replace nor delete files. It ends with the consent of this site, or when you revoke it.',
    question: 'Do you allow that?',
    accept: 'Allow',
    refuse: 'Do not allow',
    unsuitable:
      'No site may have this folder: it holds more than files for a site, such as settings, programs or everything of yours.',
    choose: 'Choose another folder',
    stop: 'Cancel',
  },
  nl: {
    title: (origin) => `${origin}: map waarvan het de bestanden mag lezen en schrijven`,
    purpose: (origin) => `${origin} mag dan bestanden in deze map lezen en schrijven:`,
    extent:
      'Dat geldt ook voor alle mappen erin. Bestanden vervangen of wissen kan het niet. Het eindigt met de toestemming van deze site, of wanneer u het intrekt.',
    question: 'Staat u dat toe?',
    accept: 'Toestaan',
    refuse: 'Niet toestaan',
    unsuitable:
      'Geen site mag deze map hebben: er staat meer in dan bestanden voor een site, zoals instellingen, programma’s of alles van u.',
    choose: 'Andere map kiezen',
    stop: 'Annuleren',
  },
  fr: {
    title: (origin) => `${origin} : dossier dont il pourra lire et écrire les fichiers`,
    purpose: (origin) => `${origin} pourra alors lire et écrire des fichiers dans ce dossier :`,
    extent:
      'Cela vaut aussi pour tous les dossiers qu’il contient. Aucun fichier ne peut être remplacé ni supprimé. Cela prend fin avec l’accord de ce site, ou quand vous le retirez.',
    question: 'L’autorisez-vous ?',
    accept: 'Autoriser',
    refuse: 'Ne pas autoriser',
    unsuitable:
      'Aucun site ne peut avoir ce dossier : il contient plus que des fichiers pour un site, par exemple des réglages, des programmes ou tout ce qui est à vous.',
    choose: 'Choisir un autre dossier',
    stop: 'Annuler',
  },
  de: {
    title: (origin) => `${origin}: Ordner, dessen Dateien es lesen und schreiben darf`,
    purpose: (origin) => `${origin} darf dann Dateien in diesem Ordner lesen und schreiben:`,
    extent:
      'Das gilt auch für alle Ordner darin. Ersetzen oder löschen kann es keine Datei. Es endet mit der Zustimmung dieser Seite, oder wenn Sie es widerrufen.',
    question: 'Erlauben Sie das?',
    accept: 'Erlauben',
    refuse: 'Nicht erlauben',
    unsuitable:
      'Diesen Ordner darf keine Seite haben: In ihm liegt mehr als Dateien für eine Seite, etwa Einstellungen, Programme oder alles von Ihnen.',
    choose: 'Anderen Ordner wählen',
    stop: 'Abbrechen',
  },
}

/** A title has one line of the window: of a long origin the end is shown, which tells who it is. */
const maxOriginLength = 60

/** To a person who speaks this language, a tag of BCP 47. */
export function describeFolders(origin: string, language: string) {
  const found = findByLanguage(texts, language)
  const shown = origin.length <= maxOriginLength ? origin : `…${origin.slice(1 - maxOriginLength)}`
  return {
    title: found.title(shown),
    /** The question once a folder is chosen: it names the origin in full, and the folder. */
    confirm: (path: string) => ({
      title: 'Cardwire',
      text: [found.purpose(origin), path, '', found.extent, '', found.question].join('\n'),
      accept: found.accept,
      refuse: found.refuse,
    }),
    /** The question whether another folder is to be chosen. */
    retry: (path: string) => ({
      title: 'Cardwire',
      text: [path, '', found.unsuitable].join('\n'),
      accept: found.choose,
      refuse: found.stop,
    }),
  }
}
