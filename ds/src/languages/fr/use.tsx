/** The texts of the screens of counted uses and of downloads in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { choose, count, format } = createNumbers('fr')

export const use: Texts['use'] = {
  title: 'Utilisation',
  about: (downloads, organizations) => (
    <>
      Nombre d’utilisations des lecteurs de cartes par les sites, par jour (UTC). Sans filtre, vous
      voyez les 30 derniers jours. Les {downloads('téléchargements des programmes d’installation')}{' '}
      sont comptés séparément. Vous pouvez aussi voir{' '}
      {organizations('l’utilisation par organisation')} pendant un mois.
    </>
  ),
  empty: (applications) => (
    <>
      Aucune utilisation ne correspond à ce filtre. Quand une page utilise un lecteur de cartes avec
      le jeton d’une {applications('application')}, le connecteur le signale à sa prochaine
      synchronisation.
    </>
  ),
  total: (total, mark) => (
    <>
      {mark(format(total))} {choose(total, 'utilisation', 'utilisations')} au total.
    </>
  ),
  download: 'Tout télécharger au format CSV',
  chart: {
    title: 'Utilisation par jour',
    counted: 'Utilisations',
    description: (from, to, best, most) =>
      `Du ${from} au ${to}. Le jour le plus actif est le ${best}, avec ${count(most, 'utilisation', 'utilisations')}. Le tableau ci-dessous contient tous les chiffres.`,
  },
  asTable: 'Afficher sous forme de tableau',
  day: 'Jour',
  filters: {
    from: 'Du',
    to: 'Au',
    application: 'Application',
    module: 'Module',
    useCase: 'Type d’utilisation',
    version: 'Version',
    system: 'Système',
    all: 'Tous',
    apply: 'Appliquer',
    clear: '30 derniers jours',
  },
  counters: {
    caption: 'Utilisation par application',
    application: 'Application',
    noApplication: 'Aucune',
    module: 'Module',
    useCase: 'Type d’utilisation',
    tag: 'Étiquette de facturation',
    tagAbout:
      'Les étiquettes de facturation viennent des pages, qui peuvent en envoyer une avec chaque requête (X-T1C-BILLING-TAG).',
    uses: 'Utilisations',
  },
  modules: {
    piv: 'Carte PIV',
    beid: 'Carte d’identité belge',
    openpgp: 'Carte OpenPGP',
    emv: 'Carte de paiement',
    crelan: 'Carte de paiement, Crelan',
    pkcs11: 'Bibliothèque PKCS #11',
    fileexchange: 'Fichiers',
    truststore: 'Certificats Windows',
    rawprint: 'Imprimante',
    remoteloading: 'Commandes de carte',
  },
  useCases: {
    'identity-read': 'Lecture de l’identité',
    authentication: 'Authentification',
    signature: 'Signature',
    'pin-verification': 'Vérification du code PIN',
    'card-commands': 'Commandes de carte',
    'file-download': 'Téléchargement de fichier',
    'file-upload': 'Envoi de fichier',
    print: 'Impression',
  },
  organizations: {
    title: 'Utilisation par organisation',
    about:
      'Utilisations et appareils uniques pendant un mois (UTC). Un appareil est le connecteur d’un utilisateur sur un ordinateur. Il compte une fois pour chaque application, une fois pour chaque organisation et une fois au total, quel que soit son nombre d’utilisations.',
    month: 'Mois',
    show: 'Afficher',
    empty: 'Aucune utilisation pendant ce mois.',
    caption: 'Utilisation par organisation et par application',
    organization: 'Organisation',
    none: 'Aucune',
    application: 'Application',
    all: 'Toutes les applications',
    uses: 'Utilisations',
    devices: 'Appareils uniques',
    notCounted: 'Non comptés',
    total: (uses, devices) =>
      devices === null
        ? `${count(uses, 'utilisation', 'utilisations')} au total. Les appareils n’ont pas été comptés pendant ce mois.`
        : `${count(uses, 'utilisation', 'utilisations')} par ${count(devices, 'appareil unique', 'appareils uniques')} au total.`,
  },
  downloads: {
    total: (total, mark) => (
      <>
        {mark(format(total))} {choose(total, 'téléchargement', 'téléchargements')} au total.
      </>
    ),
    title: 'Téléchargements des programmes d’installation',
    about: 'Programmes d’installation téléchargés depuis ce service, par jour (UTC).',
    empty: (path) => (
      <>
        Aucun téléchargement ne correspond à ce filtre. L’URL {path} de ce service fournit à chaque
        utilisateur le programme d’installation adapté à son ordinateur.
      </>
    ),
    chart: {
      title: 'Téléchargements par jour',
      counted: 'Téléchargements',
      description: (from, to, best, most) =>
        `Du ${from} au ${to}. Le jour le plus actif est le ${best}, avec ${count(most, 'téléchargement', 'téléchargements')}. Le tableau ci-dessous contient tous les chiffres.`,
    },
    caption: 'Téléchargements par version et par système',
    version: 'Version',
    system: 'Système',
    count: 'Téléchargements',
  },
}
