/** The texts of the screens of versions in French. */
import type { Version, VersionReach } from '@cardwire/protocol'
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

type Flags = Pick<Version, 'recommended' | 'mandatory' | 'allowed'>

const { format, choose, count } = createNumbers('fr')
const list = new Intl.ListFormat('fr')

/** The tags of a version, in a sentence. */
const inside = {
  allowed: 'autorisée',
  blocked: 'bloquée',
  recommended: 'recommandée',
  mandatory: 'obligatoire',
}

const describeFlags = ({ recommended, mandatory, allowed }: Flags) =>
  list.format([
    allowed ? inside.allowed : inside.blocked,
    ...(recommended ? [inside.recommended] : []),
    ...(mandatory ? [inside.mandatory] : []),
  ])

const devices = (number: number) => count(number, 'appareil', 'appareils')

function describeStopped({ stopped, withoutInstaller }: VersionReach) {
  const will = `Le connecteur s’arrêtera sur ${devices(stopped)}.`
  if (withoutInstaller === stopped)
    return `${will} Aucun programme d’installation n’est disponible pour ${stopped === 1 ? 'cet appareil' : 'ces appareils'}.`
  if (withoutInstaller > 0)
    return `${will} Pour ${withoutInstaller === 1 ? 'l’un' : format(withoutInstaller)} d’entre eux, aucun programme d’installation n’est disponible.`
  return `${will} Un programme d’installation est disponible pour ${stopped === 1 ? 'cet appareil' : 'chacun d’eux'}.`
}

export const versions: Texts['versions'] = {
  title: 'Versions',
  about:
    'Selon les réglages de publication d’une version, les connecteurs plus anciens proposent ou exigent la mise à jour vers celle-ci. Ces réglages peuvent aussi arrêter les connecteurs qui utilisent cette version.',
  registerLink: 'Enregistrer une version',
  uploadLink: 'Importer d’abord les programmes d’installation',
  empty:
    'Aucune version pour l’instant. Importez les programmes d’installation, enregistrez leur version, puis ajoutez une liste d’autorisation.',
  list: {
    caption: 'Versions, de la plus récente à la plus ancienne',
    version: 'Version',
    status: 'État de publication',
    installers: 'Programmes d’installation',
    noInstallers: 'Aucun',
    added: 'Ajout',
    rollout: 'Déploiement',
  },
  tags: {
    allowed: 'Autorisée',
    blocked: 'Bloquée',
    recommended: 'Recommandée',
    mandatory: 'Obligatoire',
  },
  page: {
    title: (id) => `Version ${id}`,
    status: 'État de publication',
    flagsLink: 'Modifier les réglages de publication',
    installersLink: 'Modifier les programmes d’installation',
    devicesTitle: 'Appareils avec cette version',
    configurationsTitle: 'Configurations',
    keyTitle: 'Clé d’installation et suppression',
    keyLink: 'Remplacer la clé d’installation',
    removeLink: 'Supprimer la version',
  },
  devices: {
    none: 'Aucun appareil n’a cette version.',
    caption: 'Appareils par système',
    system: 'Système',
    devices: 'Appareils',
    number: (total, isMore) => `${isMore ? 'Plus de ' : ''}${format(total)}`,
    all: (total, isMore) =>
      isMore
        ? `Afficher tous les appareils (plus de ${format(total)})`
        : `Afficher tous les appareils (${format(total)})`,
  },
  configurations: {
    empty:
      'Aucune configuration pour l’instant. Tant que vous n’avez pas ajouté de liste d’autorisation, aucun site ne peut utiliser les lecteurs de cartes des connecteurs de cette version.',
    groupLink: 'Ajouter une configuration pour un groupe',
    copyLink: 'Copier les configurations depuis ou vers une autre version',
    compareLink: 'Comparer à une autre version',
  },
  flags: {
    title: (id) => `Réglages de publication de la version ${id}`,
    legend: 'Réglages de publication',
    recommended: 'Recommandée',
    recommendedHint:
      'Les connecteurs plus anciens proposent la mise à jour. Dans l’API, ce réglage s’appelle « recommended ».',
    mandatory: 'Obligatoire',
    mandatoryHint:
      'Les connecteurs plus anciens s’arrêtent jusqu’à leur mise à jour. Dans l’API, ce réglage s’appelle « mandatory ».',
    allowed: 'Autorisée',
    allowedHint:
      'Si vous décochez cette case, les connecteurs de cette version s’arrêtent. Ils peuvent passer à la dernière version autorisée, même si elle est antérieure à la leur.',
    next: 'Vous vérifierez ensuite quels appareils sont concernés. S’il n’y en a aucun, la modification s’applique immédiatement.',
    reviewButton: 'Vérifier les modifications',
    confirmTitle: (id) => `Modifier les réglages de publication de la version ${id}`,
    change: (id, before, after) =>
      `La version ${id} est actuellement ${describeFlags(before)}. Elle sera désormais ${describeFlags(after)}.`,
    applyButton: 'Appliquer',
    yes: 'Oui',
    no: 'Non',
  },
  affected: {
    lostSites: {
      sentence: (sites) =>
        `Après la mise à jour, ${count(sites, 'site', 'sites')} ne ${choose(sites, 'pourra', 'pourront')} plus utiliser de lecteurs de cartes.`,
      caption: 'Sites qui perdent l’accès avec la mise à jour',
      site: 'Site',
      more: (others) => `${count(others, 'autre site', 'autres sites')}.`,
    },
    sentence: (reach) => {
      if (reach.unserved > 0)
        return `${count(reach.unserved, 'appareil avec cette version ne pourra', 'appareils avec cette version ne pourront')} plus se synchroniser tant que vous n’aurez pas réenregistré la version.`
      if (reach.reach === 0) return 'Aucun appareil n’est concerné.'
      if (reach.stopped > 0) return describeStopped(reach)
      return `${count(reach.reach, 'appareil est concerné', 'appareils sont concernés')}. Aucun connecteur ne s’arrêtera.`
    },
    stoppedWithoutInstaller: (total) =>
      `Aucun programme d’installation ne sera disponible pour ${count(total, 'appareil', 'appareils')} dont le connecteur est déjà arrêté.`,
    /** What sites lose; empty when they lose nothing. */
    lost: (reach) =>
      reach.withoutAllowlist === 0
        ? ''
        : `${count(reach.withoutAllowlist, 'appareil passerait', 'appareils passeraient')} à une version sans liste d’autorisation. Aucun site ne pourrait alors utiliser ${choose(reach.withoutAllowlist, 'ses', 'leurs')} lecteurs de cartes.`,
    goBack: (total) =>
      `${count(total, 'appareil reviendrait', 'appareils reviendraient')} à une version antérieure. Chaque utilisateur doit le confirmer, dans la fenêtre du connecteur ou avec « cardwire update » dans un terminal. Sous Windows, un programme d’installation qui ne prend pas en charge ALLOWDOWNGRADE ne peut pas remplacer une version plus récente. Dans ce cas, désinstallez d’abord celle-ci.`,
    caption: 'Appareils concernés',
    captionUnblocked: 'Appareils concernés, hors appareils bloqués',
    version: 'Version',
    system: 'Système',
    devices: 'Appareils',
    now: 'Actuellement',
    after: 'Après',
    target: 'Mise à jour vers',
    verdicts: {
      none: 'Aucune mise à jour nécessaire',
      recommend: 'Mise à jour recommandée',
      require: 'Mise à jour obligatoire',
      stop: 'Version bloquée',
    },
    otherInstallers: (total) =>
      `Un autre programme d’installation de la même version sera proposé à ${count(total, 'appareil', 'appareils')}.`,
    otherInstaller: (version) => `${version}, autre programme d’installation`,
    noInstaller: 'Aucun programme d’installation',
    more: (groups) => `Et ${count(groups, 'groupe plus petit', 'groupes plus petits')}.`,
  },
  installers: {
    title: (id) => `Programmes d’installation de la version ${id}`,
    heading: 'Programmes d’installation',
    empty:
      'Aucun programme d’installation pour l’instant. Tant que vous n’en avez pas ajouté, les utilisateurs ne peuvent pas télécharger cette version et les connecteurs ne peuvent pas l’installer.',
    caption: 'Programmes d’installation par système',
    system: 'Système',
    url: 'Fichier ou URL',
    size: 'Taille',
    download: 'Téléchargement',
    downloadLink: (system, unseen) => <>Télécharger{unseen(` pour ${system}`)}</>,
    notGiven: 'Non précisé',
    saveButton: 'Enregistrer les programmes d’installation',
    urlLabel: 'URL du programme d’installation',
    urlHint:
      'Choisissez un fichier importé (file:///…) ou saisissez une URL (https://…). Laissez ce champ vide s’il n’y en a pas.',
    hashHint: '64 caractères hexadécimaux, calculés automatiquement pour les fichiers importés.',
  },
  register: {
    title: 'Enregistrer une version',
    taken: (id) => `La version ${id} est déjà enregistrée`,
    versionLabel: 'Version',
    versionHint: 'La version des programmes d’installation, par exemple 4.0.1',
    configurationsTitle: 'Configurations',
    copyLabel: 'Liste d’autorisation et autres configurations',
    copyHint:
      'Sans liste d’autorisation, aucun site ne peut utiliser les lecteurs de cartes des appareils qui ont cette version.',
    copyOption: (id) => `Copier depuis la version ${id}`,
    copyNone: 'Aucune',
    installersTitle: 'Programmes d’installation',
    noFiles: (link) => (
      <>
        Aucun fichier importé pour l’instant. {link('Importez les programmes d’installation')} ou
        saisissez des URL.
      </>
    ),
    files: (link) => (
      <>
        Choisissez des fichiers importés, {link('importez des programmes d’installation')} ou
        saisissez des URL.
      </>
    ),
    button: 'Enregistrer la version',
    confirmTitle: (id) => `Enregistrer la version ${id}`,
    wayBack: 'Vous pourrez ensuite modifier les réglages de publication de la version.',
    editButton: 'Revenir à la saisie',
  },
  key: {
    title: (id) => `Clé d’installation de la version ${id}`,
    replaceTitle: (id) => `Remplacer la clé d’installation de la version ${id}`,
    replaceAbout:
      'L’ancienne clé cesse immédiatement de fonctionner. Les nouveaux connecteurs ne peuvent donc plus l’utiliser pour s’enregistrer. La page suivante affiche la nouvelle clé une seule fois.',
    wayBack: 'Cette action est irréversible. Le service ne conserve pas l’ancienne clé.',
    /** Of devices that have the version. */
    kept: (total) =>
      total === 0
        ? 'Aucun appareil n’a cette version.'
        : count(
            total,
            'appareil enregistré avec cette version continue de fonctionner.',
            'appareils enregistrés avec cette version continuent de fonctionner.',
          ),
    replaceButton: 'Remplacer la clé',
    copyLabel: 'Copier la clé d’installation',
    warning:
      'Copiez cette clé maintenant, car elle ne sera plus affichée. Le service n’en conserve qu’une empreinte. Ajoutez la clé aux réglages de vos connecteurs.',
    done: 'J’ai copié la clé',
    about: (setting) => (
      <>Les connecteurs utilisent cette clé pour s’enregistrer. Indiquez-la dans {setting}.</>
    ),
  },
  remove: {
    title: (id) => `Supprimer la version ${id}`,
    about:
      'Sa clé d’installation cesse de fonctionner et ses programmes d’installation ne sont plus proposés.',
    wayBack: 'Cette action est irréversible. L’historique de la version est également supprimé.',
    button: 'Supprimer la version',
  },
}
