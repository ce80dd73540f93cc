/** The texts of the screen of the keystore in French. */
import type { Texts } from '../en/catalog.ts'

export const keystore: Texts['keystore'] = {
  title: 'Magasins de clés',
  uploadTitle: 'Importer un magasin de clés',
  about:
    'Un magasin de clés est un fichier qui contient une clé et un certificat. Les connecteurs les utilisent pour communiquer avec les pages web, au lieu de générer les leurs.',
  noVersions: 'Un magasin de clés appartient à une version. Enregistrez d’abord une version.',
  noPermission:
    'Vous n’avez pas les droits nécessaires pour modifier les configurations. Adressez-vous à un administrateur.',
  file: 'Magasin de clés (PKCS #12)',
  version: 'Version',
  name: 'Nom de fichier (facultatif)',
  nameHint:
    'Laissez ce champ vide pour utiliser le nom du fichier. Un magasin de clés en cours d’utilisation ne peut pas être remplacé. Donnez donc un autre nom au nouveau.',
  password: 'Mot de passe du magasin de clés',
  passwordHint: 'Chiffré à l’enregistrement. Vous ne pourrez plus l’afficher ensuite.',
  passwordMissing: 'Saisissez le mot de passe du magasin de clés',
  button: 'Enregistrer le magasin de clés',
  another: 'Importer un autre magasin de clés',
  list: {
    caption: 'Magasins de clés, par version',
    version: 'Version',
    file: 'Fichier',
    expires: 'Expire le',
    unknown: 'Date inconnue',
    empty: 'Aucune version n’a de magasin de clés pour l’instant.',
  },
  certificate: {
    subject: 'Certificat',
    names: 'Noms d’hôte',
    issuer: 'Émetteur',
    selfSigned:
      'Aucun\u202f: autosigné. Les navigateurs le rejettent, sauf si l’ordinateur lui fait confiance.',
    notBefore: 'Valide à partir du',
    notAfter: 'Expire le',
    key: 'Clé',
    keyKind: (algorithm, bits) => `${algorithm}, ${bits} bits`,
    expired:
      'Ce magasin de clés a expiré. Les connecteurs ne l’utilisent plus. Importez-en un nouveau.',
    expires: (time) => (
      <>Ce magasin de clés expire le {time}. Importez-en un nouveau avant cette date.</>
    ),
    early: (time) => (
      <>
        Ce magasin de clés n’est pas encore valide. Les connecteurs l’utiliseront à partir du {time}
        .
      </>
    ),
    elsewhere:
      'Ce magasin de clés se trouve sur un autre serveur. Ce service ne le lit donc pas. Les connecteurs vérifient le fichier lorsqu’ils le téléchargent.',
    notOpened:
      'Ce magasin de clés a été enregistré par une version antérieure du service. Enregistrez-le de nouveau avec son mot de passe pour afficher son certificat.',
  },
}
