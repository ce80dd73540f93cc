/** The texts of the screen of rejected registrations in French. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('fr')

export const refusals: Texts['refusals'] = {
  title: 'Enregistrements rejetés',
  search: 'Nom d’hôte, adresse IP, empreinte de clé ou ID de requête',
  known: 'Appareils enregistrés correspondants :',
  kept: (days, rows) =>
    `Le service conserve au maximum ${count(rows, 'enregistrement rejeté', 'enregistrements rejetés')}, pendant ${count(days, 'jour', 'jours')}.`,
  empty: (days) =>
    days === 1
      ? 'Aucun enregistrement rejeté au cours des dernières 24 heures.'
      : `Aucun enregistrement rejeté au cours des ${format(days)} derniers jours.`,
  noMatch: {
    known: 'Aucun rejet ne correspond à la recherche. L’appareil est enregistré.',
    unknown: 'Aucun rejet ne correspond à la recherche.',
    notReached: (command) => (
      <>
        L’appareil n’a pas atteint ce service. Vérifiez l’URL du service indiquée sur l’appareil,
        ainsi que le réseau entre les deux. Pour plus de détails, exécutez {command} sur l’appareil.
      </>
    ),
  },
  groups: {
    caption: 'Enregistrements rejetés, par motif, version et réseau',
    reason: 'Motif',
    version: 'Version',
    network: 'Réseau',
    devices: 'Appareils',
    times: 'Tentatives',
    last: 'Dernière tentative',
    all: 'Afficher tous les enregistrements rejetés',
  },
  facts: {
    last: 'Dernier rejet',
    repeated: (last, times, first) => (
      <>
        {last}, {format(times)} fois depuis le {first}
      </>
    ),
    address: 'Adresse IP',
    connector: 'Connecteur',
    key: 'Clé d’installation',
    noKey: 'Absente ou non valide',
    keyOf: (version) => `Clé de la version ${version}`,
    fingerprint: 'Empreinte de clé',
    details: 'Détails',
    request: 'ID de requête',
  },
  reasons: {
    key: {
      what: 'La clé d’installation est absente, n’est pas valide ou a été remplacée.',
      remedy: (setting) =>
        `Donnez au connecteur une clé d’installation valide. Utilisez un programme d’installation qui en contient une ou définissez ${setting} sur l’appareil.`,
    },
    version: {
      what: (version) => `La version ${version} n’est pas enregistrée dans ce service.`,
      remedy: (version) =>
        `Enregistrez la version ${version} ou installez une version enregistrée.`,
    },
    unnamedVersion: {
      what: 'La version du connecteur n’est pas enregistrée dans ce service.',
      remedy: 'Enregistrez cette version ou installez une version enregistrée.',
    },
    blocked: {
      what: 'L’appareil et sa clé sont bloqués.',
      remedy:
        'Recherchez l’empreinte de clé dans la liste des appareils. Si l’appareil a été bloqué par erreur, débloquez-le.',
    },
    clock: {
      what: 'L’horloge de l’appareil et celle de ce service diffèrent de plus d’une minute.',
      remedy:
        'Réglez l’horloge de l’appareil. Si de nombreux appareils signalent cette erreur, vérifiez l’horloge du serveur.',
    },
    signature: {
      what: 'La signature de la requête n’est pas valide.',
      remedy: (setting) =>
        `L’appareil utilise peut-être une autre URL pour ce service, ou un équipement du réseau modifie ses requêtes. Assurez-vous que l’URL du service indiquée sur l’appareil est identique à la valeur de ${setting} sur ce service.`,
    },
    tooMany: {
      perMinute: {
        what: 'Trop d’appareils se sont enregistrés en une minute depuis cette adresse IP.',
      },
      perAddress: {
        what: 'Trop de nouveaux appareils se sont enregistrés aujourd’hui depuis cette adresse IP.',
      },
      perKey: {
        what: 'Trop de nouveaux appareils se sont enregistrés aujourd’hui avec cette clé d’installation.',
      },
      wrongKeys: {
        what: 'Trop de requêtes sans clé d’installation valide proviennent de cette adresse IP.',
      },
      remedy: (setting) =>
        `Le connecteur réessaie automatiquement. Si ce nombre d’appareils est normal, augmentez ${setting}. Sinon, vérifiez que la clé d’installation n’est pas utilisée abusivement.`,
    },
    input: {
      what: 'Ce service ne comprend pas la requête.',
      remedy: 'Installez une version du connecteur compatible avec ce service.',
    },
    page: {
      what: 'La requête provenait d’une page web et non d’un connecteur.',
      remedy: 'Vous n’avez rien à faire. Les pages web ne peuvent pas s’enregistrer.',
    },
    other:
      'Pour plus de détails, recherchez l’ID de requête ci-dessous dans le journal du serveur.',
  },
}
