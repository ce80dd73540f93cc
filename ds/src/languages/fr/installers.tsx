/** The texts of the screens of installers, and of the form that uploads a file, in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('fr')

export const installers: Texts['installers'] = {
  title: 'Programmes d’installation',
  about:
    'Importez ici les programmes d’installation que les versions proposent aux utilisateurs. Tout le monde peut les télécharger. Un fichier utilisé par une version ne peut être ni remplacé ni supprimé.',
  files: 'Fichiers',
  search: 'Nom de fichier',
  empty:
    'Aucun fichier pour l’instant. Importez un programme d’installation, puis enregistrez une version qui l’utilise.',
  noMatch: 'Aucun fichier ne correspond à la recherche. Essayez une autre partie du nom.',
  caption: 'Fichiers importés',
  name: 'Nom',
  size: 'Taille',
  bytes: (bytes) => count(bytes, 'octet', 'octets'),
  exactSize: (size, bytes) => `${size} (${count(bytes, 'octet', 'octets')})`,
  copyHash: 'Copier l’empreinte SHA-256',
  url: 'URL',
  copyUrl: 'Copier l’URL',
  usedBy: 'Utilisé par la version',
  urlUse:
    'Pour proposer ce fichier aux utilisateurs, saisissez cette URL dans les programmes d’installation d’une version.',
  upload: {
    title: 'Importer un programme d’installation',
    file: 'Fichier du programme d’installation',
    name: 'Nom (facultatif)',
    nameHint:
      'Par défaut, le nom du fichier. Caractères autorisés : lettres, chiffres et . _ + ~ -',
    hash: 'Empreinte SHA-256 (facultative)',
    hashHint:
      'Telle que fournie par l’éditeur du logiciel. Un fichier dont l’empreinte diffère est rejeté.',
    button: 'Importer le programme d’installation',
  },
  manifest: {
    affects: (devices) =>
      `Rien n’est encore enregistré. Ce fichier indique les paquets d’une version. Un autre paquet pourra être proposé à ${count(devices, 'appareil', 'appareils')}.`,
    confirm: (devices) => `Enregistrer pour ${count(devices, 'appareil', 'appareils')}`,
  },
  remove: {
    title: 'Supprimer',
    confirmTitle: (name) => `Supprimer ${name}`,
    inUse:
      'Vous ne pouvez pas supprimer ce fichier tant qu’une version l’utilise. Modifiez d’abord les programmes d’installation de cette version.',
    about: 'Le fichier ne pourra plus être téléchargé.',
    revisions:
      'Des révisions antérieures de ces versions utilisent ce fichier. Sans lui, vous ne pourrez plus les restaurer :',
    wayBack: 'Cette action est irréversible, mais vous pourrez importer de nouveau le fichier.',
    button: 'Supprimer le fichier',
  },
  form: {
    several: 'Vous pouvez choisir plusieurs fichiers.',
    onlyOne:
      'Pour indiquer un nom, choisissez un seul fichier. Pour en importer plusieurs, videz ce champ. Chacun garde alors son nom.',
    all: 'Tous les fichiers ont été enregistrés, avec ces empreintes SHA-256 :',
    partly: 'L’importation s’est arrêtée. Ces fichiers ont été enregistrés :',
    limit: (megabytes) => `${format(megabytes)} Mo au maximum.`,
    progress: 'Importation',
    started: 'Importation…',
    sent: (sent, total) => `${sent} sur ${total} Mo`,
    received: 'Importation terminée. Enregistrement…',
    tooLarge: (size) => `Le fichier est trop volumineux (${size} Mo).`,
    canceled: 'Importation annulée. Rien n’a été enregistré.',
    failed: 'La connexion a été perdue. Rien n’a été enregistré. Réessayez.',
    unconfirmed:
      'Le serveur n’a pas confirmé l’importation. Vérifiez si le fichier a été enregistré. Si ce n’est pas le cas, réessayez.',
  },
  faults: {
    title: 'Corrigez les champs ci-dessous pour enregistrer le fichier',
    file: 'Choisissez un fichier',
    hash: 'Saisissez 64 caractères hexadécimaux',
  },
}
