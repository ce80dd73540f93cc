/** The texts of the download page in French. */
import type { Texts } from '../en/catalog.ts'

export const download: Texts['download'] = {
  title: 'Télécharger Cardwire',
  otherComputer: 'Pour un autre ordinateur',
  noInstaller: (system) =>
    `Il n’y a pas encore de programme d’installation pour ${system}. Pour savoir quand il sera disponible, adressez-vous à l’organisation qui vous a indiqué cette page.`,
  fileMissing: (system) =>
    `Le programme d’installation pour ${system} ne peut pas être téléchargé pour le moment. Réessayez plus tard. Si le problème persiste, contactez l’organisation qui vous a indiqué cette page.`,
  choose:
    'Le type de votre ordinateur n’a pas pu être détecté. Cardwire ne fonctionne ni sur les téléphones ni sur les tablettes. Choisissez l’ordinateur auquel votre lecteur de cartes est branché :',
  nothing: 'Il n’y a rien à télécharger pour l’instant.',
  package: (system, kind, architecture) => `${system} : ${kind} (${architecture})`,
}
