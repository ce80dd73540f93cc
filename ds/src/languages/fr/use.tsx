/** The texts of the screens of counted uses and of downloads in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { choose, count, format } = createNumbers('fr')

export const use: Texts['use'] = {
  title: 'Utilisation',
  about: (downloads, organizations) => (
    <>
      Nombre d’utilisations des lecteurs de cartes par les sites, par jour (UTC). Sans filtre, les
      30 derniers jours sont affichés. Les{' '}
      {downloads('téléchargements des programmes d’installation')} sont comptés séparément. Vous
      pouvez aussi consulter {organizations('l’utilisation par organisation')} pour un mois donné.
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
      `Du ${from} au ${to}. Le jour le plus actif est le ${best}, avec ${count(most, 'utilisation', 'utilisations')}. Le tableau ci-dessous donne tous les chiffres.`,
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
    all: 'Tout',
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
    crelan: 'Carte de paiement Crelan',
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
      'Nombre d’utilisations et d’appareils distincts au cours d’un mois (UTC). Un appareil distinct est le connecteur d’un utilisateur sur un ordinateur. Il compte une fois pour chaque application, une fois pour chaque organisation et une fois dans le total, quel que soit son nombre d’utilisations.',
    month: 'Mois',
    show: 'Afficher',
    empty: 'Aucune utilisation ce mois-là.',
    caption: 'Utilisation par organisation et par application',
    organization: 'Organisation',
    none: 'Aucune',
    application: 'Application',
    all: 'Toutes les applications',
    uses: 'Utilisations',
    devices: 'Appareils distincts',
    notCounted: 'Non comptés',
    total: (uses, devices) =>
      devices === null
        ? `${count(uses, 'utilisation', 'utilisations')} au total. Les appareils distincts n’ont pas été comptés ce mois-là.`
        : `${count(uses, 'utilisation', 'utilisations')} avec ${count(devices, 'appareil distinct', 'appareils distincts')} au total.`,
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
        `Du ${from} au ${to}. Le jour le plus actif est le ${best}, avec ${count(most, 'téléchargement', 'téléchargements')}. Le tableau ci-dessous donne tous les chiffres.`,
    },
    caption: 'Téléchargements par version et par système',
    version: 'Version',
    system: 'Système',
    count: 'Téléchargements',
  },
}
