/** The texts of the screens of rollouts in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('fr')

export const rollouts: Texts['rollouts'] = {
  title: 'Déploiements',
  list: {
    about:
      'Un déploiement propose une version à une part croissante de vos appareils. Le service l’arrête si la version pose problème sur un trop grand nombre d’entre eux.',
    empty:
      'Un déploiement propose une nouvelle version à une part croissante de vos appareils, et compare ceux-ci à des appareils qui ne l’ont pas encore. Si la version pose problème sur un trop grand nombre d’entre eux, le service arrête le déploiement et ne propose plus la version.',
    newLink: 'Créer un déploiement',
    caption: 'Déploiements, du plus récent au plus ancien',
    columns: {
      version: 'Version',
      state: 'État',
      share: 'Part actuelle',
      reached: 'Appareils atteints',
      updated: 'Dernière modification',
      actions: 'Actions',
    },
  },
  states: {
    draft: 'Non démarré',
    running: 'En cours',
    paused: 'En pause',
    halted: 'Arrêté',
    finished: 'Terminé',
  },
  inGroup: {
    running: (share, group) =>
      `En cours. La version est proposée à ${share} des appareils du groupe ${group}.`,
    paused: (share, group) =>
      `En pause. La version reste proposée à ${share} des appareils du groupe ${group}. L’étape suivante ne commencera qu’à la reprise du déploiement.`,
  },
  inWords: {
    draft: () =>
      'Ce déploiement n’a pas encore démarré. La version n’est proposée à aucun appareil.',
    running: (share) => `En cours. La version est proposée à ${share} de vos appareils.`,
    paused: (share) =>
      `En pause. La version reste proposée à ${share} de vos appareils. L’étape suivante ne commencera qu’à la reprise du déploiement.`,
    halted: () =>
      'Arrêté. La version n’est plus proposée. Les appareils qui l’ont déjà la conservent.',
    finished: () => 'Terminé. La version est proposée à tous les appareils.',
  },
  halt: {
    byService: (time) => <>Arrêté par le service, le {time}.</>,
    byAdministrator: (who, time) => (
      <>
        Arrêté par {who}, le {time}.
      </>
    ),
    ratio: (ratio) => `La valeur du test était de ${ratio}.`,
    next: (link) => (
      <>
        Examinez les {link('erreurs des appareils qui ont cette version')}. Pour continuer avec la
        même version, reprenez le déploiement. Pour la remplacer, enregistrez une nouvelle version
        et créez un déploiement pour celle-ci.
      </>
    ),
  },
  page: {
    title: (version) => `Déploiement de la version ${version}`,
    state: 'État',
    version: 'Version',
    rates: 'Taux d’échec',
    ratesValue: (good, bad) => `Acceptable\u202f: ${good}, inacceptable\u202f: ${bad}`,
    editLink: 'Modifier le déploiement',
  },
  stages: {
    title: 'Étapes',
    caption: 'Étapes du déploiement',
    stage: 'Étape',
    devices: 'Appareils',
    share: 'Part des appareils',
    hold: 'Durée minimale',
    when: 'Avancement',
    about:
      'Ces dates sont repoussées si vous mettez le déploiement en pause. Une étape qui touche plus de 10 % de vos appareils attend aussi que la plupart des appareils aient la version depuis 5 jours. Le service sait alors lesquels ne se synchronisent plus.',
    done: 'Terminée',
    skipped: 'Ignorée',
    current: {
      running: 'Étape en cours.',
      paused: 'En pause ici.',
      halted: 'Arrêté ici.',
    },
    nextAt: (time) => <>Étape suivante : le {time} au plus tôt</>,
    finishes: (time) => <>Fin&#8239;: {time}</>,
    startsAt: (time) => <>Début : le {time} au plus tôt</>,
  },
  evidence: {
    title: 'Résultats',
    test: {
      title: 'Valeur du test entre ses deux limites',
      good: 'Bonne',
      bad: 'Arrêt',
      description: (ratio, good, bad) =>
        `La valeur est de ${ratio}, entre ${good} pour une bonne version et ${bad}, où le déploiement est arrêté.`,
      about: (ratio, good, bad) =>
        `La valeur du test est de ${ratio}. Elle augmente avec chaque appareil sur lequel la version pose problème, et diminue avec chaque appareil sur lequel elle fonctionne. À ${bad}, le service arrête le déploiement. À ${good}, la version est considérée comme bonne.`,
      failed: (failures, tested) => `Échecs\u202f: ${failures} sur ${tested} appareils évalués.`,
      noControl:
        'Il n’y a aucun appareil de comparaison. Le service ne peut donc pas arrêter le déploiement pendant cette étape. Vérifiez les échecs vous-même.',
      verdicts: {
        none: 'Aucun résultat pour l’instant.',
        open: 'Il n’y a pas assez de résultats pour conclure.',
        accept: 'La version semble bonne.',
        halt: 'La version pose trop souvent problème.',
      },
    },
    table: {
      caption: 'Appareils atteints et groupe de comparaison',
      measure: 'Appareils',
      reached: 'Atteints',
      control: 'Groupe de comparaison',
      notOffered: 'Non proposée',
      measures: {
        devices: 'Total',
        installed: 'Version installée',
        successes: 'Opérationnels',
        faults: 'Avec une nouvelle erreur',
        wentBack: 'Revenus à une version antérieure',
        silent: 'Sans synchronisation depuis 5 jours',
      },
      about:
        'La version n’est pas proposée au groupe de comparaison. Les problèmes qui s’y produisent aussi ne sont pas imputés à la version.',
    },
  },
  course: {
    title: 'Évolution',
    about: {
      hour: 'Le nombre total d’appareils, par heure.',
      day: 'Le nombre total d’appareils à la fin de chaque jour (UTC).',
    },
    hour: 'Heure',
    devices: 'Évolution des appareils',
    description: (from, to, last) => `Du ${from} au ${to}. À la fin\u202f: ${last}.`,
    series: {
      offered: 'Version proposée',
      installed: 'Version installée',
      successes: 'Opérationnels',
      failures: 'En échec',
      silent: 'Sans synchronisation depuis 5 jours',
    },
    ratio: 'Évolution de la valeur du test',
    ratioName: 'Valeur du test',
    ratioDescription: (from, to, ratio) =>
      `Du ${from} au ${to}. À la fin, la valeur du test est de ${ratio}.`,
    notYet:
      'La version n’a encore été proposée à aucun appareil. Les graphiques apparaissent dès que des appareils atteints par le déploiement se synchronisent.',
    none: 'Aucune donnée horaire. La version n’a été proposée à aucun appareil, ou le déploiement a été exécuté par une version antérieure du service.',
  },
  acts: {
    /** Where the version lacks an installer or an allowlist. */
    force: 'Continuer quand même',
    /** After it was halted. */
    startsOver: 'Les résultats obtenus jusqu’ici sont abandonnés, et le test recommence.',
    notPossible: (state) =>
      `Cette action n’est pas possible pour le moment. État du déploiement\u202f: ${state}.`,
    start: {
      title: (version) => `Démarrer le déploiement de la version ${version}`,
      button: 'Démarrer le déploiement',
      effects: ['Les étapes s’enchaînent sans autre confirmation.'],
      wayBack:
        'Vous pouvez mettre en pause ou arrêter le déploiement à tout moment. Les appareils qui ont installé la version la conservent.',
    },
    resume: {
      title: (version) => `Reprendre le déploiement de la version ${version}`,
      button: 'Reprendre le déploiement',
      effects: [
        'L’étape en cours recommence avec sa durée minimale complète. Les étapes suivantes s’enchaînent sans autre confirmation.',
      ],
      wayBack:
        'Vous pouvez mettre en pause ou arrêter le déploiement à tout moment. Les appareils qui ont installé la version la conservent.',
    },
    pause: {
      title: (version) => `Mettre en pause le déploiement de la version ${version}`,
      button: 'Mettre en pause',
      effects: [
        'L’étape suivante ne commence pas.',
        'La version reste proposée aux appareils auxquels elle l’est déjà.',
      ],
      wayBack: 'Vous pourrez reprendre le déploiement ensuite.',
    },
    halt: {
      title: (version) => `Arrêter le déploiement de la version ${version}`,
      link: 'Arrêter',
      button: 'Arrêter le déploiement',
      effects: [
        'La version n’est plus proposée aux appareils à partir de leur prochaine synchronisation.',
        'Les appareils qui ont installé la version la conservent.',
      ],
      wayBack: 'Vous pourrez reprendre le déploiement ensuite.',
    },
    finish: {
      title: (version) => `Terminer le déploiement de la version ${version}`,
      button: 'Terminer maintenant',
      effects: [
        'Les étapes restantes sont ignorées. La version est proposée à tous les appareils à leur prochaine synchronisation.',
        'Le service ne surveille plus les échecs de cette version.',
      ],
      wayBack:
        'Un déploiement terminé ne peut être ni repris ni arrêté. Pour ne plus proposer la version, modifiez ses réglages de publication.',
    },
  },
  reach: {
    stages: (devices) =>
      devices === 0
        ? 'Aucun appareil n’est concerné.'
        : `La version sera proposée à ${count(devices, 'appareil', 'appareils')}, étape par étape.`,
    first: (devices, share) =>
      devices === 0
        ? `L’étape qui commence maintenant (${share}) n’en atteindra peut-être aucun.`
        : `L’étape qui commence maintenant (${share}) en atteint environ ${format(devices)}.`,
    all: (devices) =>
      devices === 0
        ? 'Aucun appareil n’est concerné.'
        : `La version sera proposée à ${count(devices, 'appareil', 'appareils')} à la prochaine synchronisation.`,
    /** By saving a draft, of devices whose version is blocked. */
    held: (devices) =>
      devices === 1
        ? '1 appareil passerait dès maintenant à cette version. Il attendra que le déploiement l’atteigne.'
        : `${format(devices)} appareils passeraient dès maintenant à cette version. Ils attendront que le déploiement les atteigne.`,
    /** By removing it. */
    released: (devices) =>
      devices === 1
        ? 'Sans le déploiement, 1 appareil passera à cette version à sa prochaine synchronisation.'
        : `Sans le déploiement, ${format(devices)} appareils passeront à cette version à leur prochaine synchronisation.`,
  },
  effects: {
    recommended: (version) =>
      `Les connecteurs de ces appareils proposent la mise à jour vers la version ${version}.`,
    mandatory: (version) =>
      `Les connecteurs de ces appareils s’arrêtent jusqu’à leur mise à jour vers la version ${version}.`,
  },
  remove: {
    title: (version) => `Supprimer le déploiement de la version ${version}`,
    about:
      'La version elle-même est conservée. Sans déploiement, ses réglages de publication s’appliquent de nouveau à tous les appareils.',
    /** Of one that was halted. */
    results: 'Ses résultats sont également supprimés.',
    wayBack: 'Cette action est irréversible, mais vous pourrez recréer le déploiement.',
    button: 'Supprimer le déploiement',
  },
  form: {
    newTitle: 'Créer un déploiement',
    editTitle: (version) => `Modifier le déploiement de la version ${version}`,
    button: 'Enregistrer le déploiement',
    next: 'Enregistrer le déploiement ne le démarre pas. Vous pourrez le démarrer sur la page suivante.',
    confirmTitle: (version) => `Différer la version ${version}`,
    wayBack:
      'Vous pouvez modifier ou supprimer le déploiement tant que vous ne l’avez pas démarré.',
    version: 'Version',
    versionHint: 'Une version autorisée qui n’est ni recommandée ni obligatoire.',
    noVersion:
      'Il n’y a aucune version à déployer. Une version à déployer doit être autorisée, n’être ni recommandée ni obligatoire, et être plus récente que les versions auxquelles vos appareils passent actuellement. Enregistrez d’abord la nouvelle version.',
    flag: 'État de publication',
    flags: {
      recommended: 'Recommandée\u202f: les connecteurs proposent la mise à jour',
      mandatory: 'Obligatoire\u202f: les connecteurs s’arrêtent jusqu’à leur mise à jour',
    },
    stages: {
      legend: 'Étapes',
      hint: 'Chaque étape atteint une plus grande part des appareils que la précédente, et la dernière en atteint 100\u202f%. L’étape suivante commence à la fin de la durée minimale. Laissez vides les lignes inutilisées.',
      caption: 'Étapes, dans l’ordre',
      stage: 'Étape',
      share: 'Part des appareils (%)',
      hold: 'Durée minimale (heures)',
      devices: 'Appareils',
      devicesOf: (stage) => `Appareils de l’étape ${format(stage)}`,
      groupHint:
        'Vous pouvez réserver les premières étapes à un groupe. Leur part se rapporte alors aux appareils de ce groupe.',
      shareOf: (stage) => `Part des appareils à l’étape ${format(stage)}, en pourcentage`,
      holdOf: (stage) => `Durée minimale de l’étape ${format(stage)}, en heures`,
    },
    rates: {
      summary: 'Taux d’échec',
      about:
        'Le service vérifie lequel des deux taux correspond le mieux aux résultats. Plus ils sont proches, plus il faut d’appareils pour conclure.',
      good: 'Taux d’échec acceptable (%)',
      goodHint:
        'Une version qui pose problème sur cette part des appareils au maximum est encore considérée comme bonne.',
      bad: 'Taux d’échec inacceptable (%)',
      badHint:
        'Une version qui pose problème sur cette part des appareils est mauvaise. Le service arrête le déploiement dès que les résultats correspondent nettement mieux à ce taux qu’à l’autre.',
    },
  },
  ofVersion: {
    draft: (link) => (
      <>
        Le {link('déploiement')} de cette version n’a pas encore démarré. Aucun appareil ne passe à
        cette version pour l’instant.
      </>
    ),
    running: (link) => (
      <>
        Cette version est en cours de {link('déploiement')}. Elle n’est proposée qu’à une partie de
        vos appareils.
      </>
    ),
    paused: (link) => (
      <>
        Le {link('déploiement')} de cette version est en pause. Elle est proposée à une partie de
        vos appareils.
      </>
    ),
    halted: (link) => (
      <>
        Le {link('déploiement')} de cette version a été arrêté. Elle n’est proposée à aucun
        appareil.
      </>
    ),
  },
}
