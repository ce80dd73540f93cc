/** The texts of the screens of configurations in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

type Type = Texts['configurations']['types']['SSL_KEYSTORE']

const { format, count } = createNumbers('fr')

/** The texts of a type of configuration, by what it is called. `inside`: the same in a sentence, with its article. */
const nameType = (name: string, inside: string): Type => ({
  name,
  addLink: `Ajouter ${inside}`,
  title: (version) => `${name} pour la version ${version}`,
  newTitle: (version) => `Ajouter ${inside} pour la version ${version}`,
  removeTitle: (version) => `Supprimer ${inside} pour la version ${version}`,
  listed: (version, unseen) => (
    <>
      {name}
      {unseen(` pour la version ${version}`)}
    </>
  ),
  part: (part) => `${name} : ${part}`,
})

export const configurations: Texts['configurations'] = {
  title: 'Configurations',
  about:
    'Une configuration indique les sites qui peuvent utiliser les lecteurs de cartes, les empreintes des fichiers du connecteur ou le magasin de clés que le connecteur utilise. Les connecteurs reçoivent les configurations de leur version à chaque synchronisation.',
  search: 'Version',
  none: (link) => (
    <>
      Aucune configuration pour l’instant. Ouvrez une {link('version')} et ajoutez sa liste
      d’autorisation.
    </>
  ),
  noneOfVersion: (link) => (
    <>
      Aucune configuration pour cette version. Ouvrez-la dans {link('Versions')} et ajoutez sa liste
      d’autorisation.
    </>
  ),
  list: {
    caption: 'Configurations',
    configuration: 'Configuration',
    version: 'Version',
    devices: 'Appareils',
    changed: 'Dernière modification',
  },
  onlyFor: (link) => <>Seuls les appareils du groupe {link} reçoivent cette configuration.</>,
  choose: {
    title: 'Ajouter une configuration',
    about:
      'Les appareils d’un groupe reçoivent la configuration du groupe au lieu de celle destinée à tous les appareils.',
    type: 'Type',
    devices: 'Appareils',
    button: 'Continuer',
  },
  compareLink: 'Comparer les configurations',
  types: {
    CONTEXT_CONFIG: nameType(
      'Liste d’autorisation et droits sur les cartes',
      'la liste d’autorisation et les droits sur les cartes',
    ),
    FILE_DIGESTS: nameType('Empreintes des fichiers', 'les empreintes des fichiers'),
    SSL_KEYSTORE: nameType('Magasin de clés', 'le magasin de clés'),
  },
  edit: {
    changedAt: (time) => <>Dernière modification le {time}.</>,
    applies: 'Prend effet à la prochaine synchronisation de chaque connecteur.',
    addButton: 'Ajouter la configuration',
    saveButton: 'Enregistrer',
    removeLink: 'Supprimer la configuration',
    line: (number, message) => (
      <>
        Ligne {format(number)} : {message}
      </>
    ),
    after: (before, next) => (
      <>
        {before} ; {next}
      </>
    ),
  },
  copy: {
    title: 'Copier les configurations',
    about: 'Copie toutes les configurations, y compris le mot de passe du magasin de clés.',
    from: 'Depuis la version',
    to: 'Vers la version',
    toHint: 'Une version qui n’a encore aucune de ces configurations',
    button: 'Copier les configurations',
  },
  difference: {
    title: 'Comparer les configurations',
    from: 'Version',
    to: 'Comparer à',
    button: 'Comparer',
    neither: 'Aucune des deux versions n’a de configuration.',
    same: 'Les deux versions ont les mêmes configurations. Les mots de passe des magasins de clés ne sont pas comparés.',
    caption: 'Différences',
    part: 'Réglage',
    onlyIn: (version) => `Uniquement dans la version ${version}`,
  },
  newer: {
    about: (strong, parts) => (
      <>
        {strong('Vous ne pouvez pas modifier cette configuration ici.')} Elle a été enregistrée par
        une version plus récente du service, et la version actuelle n’a pas de champ pour {parts}.
        Mettez le service à jour.
      </>
    ),
    back: 'Retour à la version',
  },
  remove: {
    reach: (devices) =>
      devices === 0
        ? 'Aucun appareil n’a cette configuration.'
        : count(
            devices,
            'appareil perdra cette configuration à sa prochaine synchronisation.',
            'appareils perdront cette configuration à leur prochaine synchronisation.',
          ),
    caption: 'Appareils avec cette configuration, hors appareils bloqués',
    system: 'Système',
    devices: 'Appareils',
    allowlist:
      'Si aucune autre liste d’autorisation ne s’applique à ces appareils, aucun site ne pourra utiliser leurs lecteurs de cartes.',
    button: 'Supprimer la configuration',
  },
  allowlist: {
    origins: 'Origines autorisées',
    originsHint:
      'Une par ligne, par exemple https://shop.example, ou https://*.bank.example pour tous les sous-domaines. Laissez ce champ vide pour bloquer tous les sites.',
  },
  cards: {
    title: 'Droits supplémentaires sur les cartes',
    about:
      'Avec l’accord de l’utilisateur, tout site autorisé peut lire les certificats et demander des signatures. L’utilisateur doit confirmer chaque signature. Vous pouvez accorder d’autres droits ci-dessous. Pour ajouter une entrée, remplissez l’entrée vide à la fin de sa liste. Après l’enregistrement, une nouvelle entrée vide apparaît. Pour supprimer une entrée, videz ses champs.',
    grants: {
      title: 'Autorisations par site',
      entry: (number) => `Autorisation ${format(number)}`,
      another: 'Nouvelle autorisation',
      origin: 'Origine',
      originHint: 'Une seule origine, sans *',
      allow: {
        raw: 'Envoyer des commandes à la carte',
        'page-pin': 'Demander le code PIN dans la page',
        pan: 'Lire les numéros de carte complets',
        bulk: 'Apposer plusieurs signatures avec une seule saisie du code PIN',
        print: 'Envoyer des données brutes aux imprimantes',
        'raw-authenticate': 'Signer n’importe quelle empreinte avec une clé d’authentification',
      },
      aids: 'Applications de carte autorisées (AID)',
      aidsHint:
        'Une page qui peut envoyer des commandes ne peut sélectionner que ces applications. Saisissez des AID complets en hexadécimal, un par ligne. Si vous laissez ce champ vide, la page ne peut envoyer aucune commande.',
    },
    libraries: {
      title: 'Bibliothèques PKCS #11',
      entry: (number) => `Bibliothèque ${format(number)}`,
      another: 'Nouvelle bibliothèque',
      system: 'Système',
      path: 'Chemin',
      pathHint: 'Un chemin absolu, au format du système',
      hash: 'Empreinte SHA-256 du fichier',
      atrs: 'ATR des cartes',
      atrsHint: 'En hexadécimal, un par ligne',
      ownReaders: 'La bibliothèque n’utilise pas les lecteurs de cartes du système',
    },
    folders: {
      title: 'Dossiers pour les fichiers',
      entry: (number) => `Dossier ${format(number)}`,
      another: 'Nouveau dossier',
      origin: 'Origine',
      entity: 'Entité',
      type: 'Type',
      nameHint: 'Doit correspondre au nom dans le code de la page',
      path: 'Chemin du dossier',
      pathHint: 'Un chemin absolu. Avec une lettre de lecteur, il ne s’applique qu’à Windows.',
    },
  },
  files: {
    part: 'Fichiers',
    label: 'Fichiers et leurs empreintes',
    hint: (systems) =>
      `Une ligne par fichier, au format de sha256sum : empreinte et chemin relatif au dossier d’installation. Pour limiter une ligne à un système, commencez-la par le nom du système : ${systems}.`,
  },
  keystore: {
    url: 'URL',
    urlLabel: 'URL du magasin de clés',
    urlHint: 'https://…, ou file:///… pour un magasin de clés importé',
    hashHint:
      '64 caractères hexadécimaux, calculés automatiquement pour les magasins de clés importés.',
    password: 'Mot de passe',
    newPassword: 'Nouveau mot de passe',
    currentPassword: 'Mot de passe actuel',
    keepHint:
      'Laissez ce champ vide pour conserver le mot de passe actuel. Si vous modifiez l’URL, saisissez-le de nouveau.',
    passwordHint: 'Vous ne pourrez plus l’afficher après l’enregistrement',
  },
}
