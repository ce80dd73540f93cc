/** The texts of the download page in French. */
import type { Texts } from '../en/catalog.ts'

export const download: Texts['download'] = {
  title: 'Télécharger le connecteur',
  otherComputer: 'Pour un autre ordinateur',
  noInstaller: (system) =>
    `Il n’y a pas encore de programme d’installation pour ${system}. Demandez à l’organisation qui vous a indiqué cette page quand il sera disponible.`,
  fileMissing: (system) =>
    `Le programme d’installation pour ${system} ne peut pas être téléchargé pour le moment. Réessayez plus tard. Si le problème persiste, contactez l’organisation qui vous a indiqué cette page.`,
  choose:
    'Votre ordinateur n’a pas pu être identifié. Le connecteur ne fonctionne pas sur les téléphones et les tablettes. Choisissez l’ordinateur auquel votre lecteur de cartes est branché :',
  nothing: 'Il n’y a rien à télécharger pour l’instant.',
  package: (system, kind, architecture) => `${system} : ${kind} (${architecture})`,
}
