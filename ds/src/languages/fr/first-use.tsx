/** The texts of the first steps in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('fr')

export const firstUse: Texts['firstUse'] = {
  title: 'Premiers pas',
  about:
    'Cinq étapes suffisent pour qu’un premier site puisse utiliser des cartes avec ce service. Vous pouvez aussi les effectuer plus tard.',
  complete: (devices, overview) => (
    <>
      La configuration est terminée. Votre premier connecteur est enregistré.{' '}
      {devices('Affichez les appareils')} ou passez à la {overview('vue d’ensemble')}.
    </>
  ),
  done: 'Terminée',
  steps: {
    organization: 'Ajouter une organisation',
    label: 'Ajouter une application',
    version: 'Enregistrer une version du connecteur',
    allowlist: 'Autoriser des sites',
    device: 'Enregistrer le premier connecteur',
  },
  organization: {
    about:
      'Les applications appartiennent à une organisation, par exemple la vôtre ou celle d’un client. Le service crée l’ID de l’organisation à partir du nom saisi maintenant. Cet ID ne changera plus.',
    name: 'Nom de l’organisation',
    button: 'Ajouter l’organisation',
  },
  label: {
    about: (organization) =>
      `L’application appartient à l’organisation ${organization}. Elle reçoit une clé d’API que seul son back-end connaît. L’utilisation des cartes est comptée par application.`,
    name: 'Nom de l’application',
    button: 'Ajouter l’application et afficher sa clé',
    doneTitle: (name) => `Application « ${name} » ajoutée`,
    keyWarning: (mark) => (
      <>
        Copiez cette {mark('clé d’API')} maintenant, car elle ne sera plus affichée. Conservez-la
        dans un gestionnaire de mots de passe.
      </>
    ),
    copyKey: 'Copier la clé d’API',
    keyUse: (header) => (
      <>
        Le back-end de l’application envoie la clé dans l’en-tête {header} pour obtenir des jetons.
        Ne l’exposez jamais dans une page web.
      </>
    ),
  },
  version: {
    about:
      'Les utilisateurs téléchargent le connecteur depuis ce service. Ajoutez un programme d’installation (un fichier importé ou une URL) pour chaque système d’exploitation que vous prenez en charge. Les connecteurs plus anciens proposeront la mise à jour vers cette version.',
    noFiles: (link) => (
      <>
        Aucun fichier importé pour l’instant. {link('Importez un programme d’installation')} ou
        saisissez des URL.
      </>
    ),
    files: (total, link) => (
      <>
        {count(total, 'fichier est disponible', 'fichiers sont disponibles')}. Vous pouvez aussi{' '}
        {link('importer un autre fichier')}.
      </>
    ),
    id: 'Version',
    idHint: 'La version des programmes d’installation, par exemple 4.0.0',
    installer: (system) => `Programme d’installation pour ${system}`,
    installerMissing: 'Ajoutez un programme d’installation pour au moins un système d’exploitation',
    button: 'Enregistrer la version',
    doneTitle: (id) => `Version ${id} enregistrée`,
    keyWarning: (mark) => (
      <>
        Copiez cette {mark('clé d’installation')} maintenant, car elle ne sera plus affichée.
        Conservez-la dans un gestionnaire de mots de passe.
      </>
    ),
    copyKey: 'Copier la clé d’installation',
    keyUse: (setting) => (
      <>Les connecteurs s’enregistrent avec cette clé. Indiquez-la dans {setting}.</>
    ),
  },
  allowlist: {
    about: (version) =>
      `Les connecteurs de la version ${version} n’acceptent que ces origines, et seulement avec l’accord de l’utilisateur.`,
    origins: 'Origines',
    originsHint:
      'Une par ligne, par exemple https://shop.example, ou https://*.bank.example pour tous les sous-domaines.',
    button: 'Autoriser ces sites',
  },
  device: {
    about:
      'Sur l’ordinateur d’un utilisateur, définissez ces deux réglages, puis exécutez le programme d’installation. Le second est la clé d’installation que vous avez copiée à l’étape 3.',
    copyUrl: 'Copier le réglage de l’URL',
    download: (link) => (
      <>
        Tout le monde peut télécharger le programme d’installation à l’adresse {link}. Le connecteur
        apparaît sur cette page dès qu’il s’enregistre.
      </>
    ),
    places: {
      caption: 'Emplacement des deux réglages',
      head: ['Système d’exploitation', 'Emplacement'],
      windows: (key) => <>Valeurs chaîne (REG_SZ) dans {key}</>,
      linux: (file) => <>Une ligne par réglage dans {file}, dont root doit être propriétaire</>,
      mac: (command) => <>Exécutez {command} pour chaque réglage</>,
    },
    registered: 'Un connecteur s’est enregistré. Actualisez cette page.',
    none: 'Pour l’instant, aucun connecteur n’a été enregistré ni rejeté.',
    refused: (address, time, reason) =>
      `Aucun connecteur ne s’est encore enregistré. Une tentative depuis ${address} a été rejetée le ${time}. ${reason}`,
    refresh: (link, refusals) => (
      <>
        {link('Actualisez')} ou examinez les {refusals('enregistrements rejetés')}.
      </>
    ),
  },
  next: 'Continuer',
}
