/** The texts of the screen of rejected registrations in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('nl')

export const refusals: Texts['refusals'] = {
  title: 'Geweigerde registraties',
  search: 'Hostnaam, IP-adres, vingerafdruk of verzoek-ID',
  known: 'Geregistreerde apparaten die overeenkomen:',
  kept: (days, rows) =>
    `Geweigerde registraties worden ${count(days, 'dag', 'dagen')} bewaard, met een maximum van ${format(rows)}.`,
  empty: (days) => `Geen geweigerde registraties in de laatste ${count(days, 'dag', 'dagen')}.`,
  noMatch: {
    known: 'Geen geweigerde registraties gevonden. Het apparaat is geregistreerd.',
    unknown: 'Geen geweigerde registraties gevonden.',
    notReached: (command) => (
      <>
        Het apparaat heeft deze server niet bereikt. Controleer de URL van de server op het apparaat
        en het netwerk ertussen. Voer {command} uit op het apparaat voor details.
      </>
    ),
  },
  groups: {
    caption: 'Geweigerde registraties, per reden, versie en netwerk',
    reason: 'Reden',
    version: 'Versie',
    network: 'Netwerk',
    devices: 'Apparaten',
    times: 'Pogingen',
    last: 'Laatste poging',
    all: 'Alle geweigerde registraties tonen',
  },
  facts: {
    last: 'Laatst geweigerd',
    repeated: (last, times, first) => (
      <>
        {last}, {format(times)} keer sinds {first}
      </>
    ),
    address: 'IP-adres',
    connector: 'Connector',
    key: 'Installatiesleutel',
    noKey: 'Ontbreekt of is ongeldig',
    keyOf: (version) => `Sleutel van versie ${version}`,
    fingerprint: 'Vingerafdruk',
    details: 'Details',
    request: 'Verzoek-ID',
  },
  reasons: {
    key: {
      what: 'De installatiesleutel ontbreekt, is ongeldig of is vervangen.',
      remedy: (setting) =>
        `Geef de connector een geldige installatiesleutel. Gebruik een installatieprogramma dat er een bevat, of stel ${setting} in op het apparaat.`,
    },
    version: {
      what: (version) => `Versie ${version} is niet geregistreerd bij deze server.`,
      remedy: (version) =>
        `Registreer versie ${version} of installeer een versie die geregistreerd is.`,
    },
    unnamedVersion: {
      what: 'De versie van de connector is niet geregistreerd bij deze server.',
      remedy: 'Registreer de versie of installeer een versie die geregistreerd is.',
    },
    blocked: {
      what: 'Het apparaat en zijn sleutel zijn geblokkeerd.',
      remedy:
        'Zoek bij de apparaten naar de vingerafdruk. Is het apparaat per vergissing geblokkeerd, deblokkeer het dan.',
    },
    clock: {
      what: 'De klokken van het apparaat en van deze server lopen meer dan een minuut uiteen.',
      remedy:
        'Zet de klok van het apparaat goed. Melden veel apparaten dit, controleer dan de klok van de server.',
    },
    signature: {
      what: 'De handtekening van het verzoek is ongeldig.',
      remedy: (setting) =>
        `Misschien gebruikt het apparaat een andere URL voor deze server, of worden de verzoeken ergens in het netwerk gewijzigd. Zorg dat de URL van de server op het apparaat dezelfde is als ${setting} op deze server.`,
    },
    tooMany: {
      perMinute: {
        what: 'Vanaf dit IP-adres zijn binnen een minuut te veel apparaten geregistreerd.',
      },
      perAddress: {
        what: 'Vanaf dit IP-adres zijn vandaag te veel nieuwe apparaten geregistreerd.',
      },
      perKey: {
        what: 'Met deze installatiesleutel zijn vandaag te veel nieuwe apparaten geregistreerd.',
      },
      wrongKeys: {
        what: 'Van dit IP-adres kwamen te veel verzoeken zonder geldige installatiesleutel.',
      },
      remedy: (setting) =>
        `De connector probeert het automatisch opnieuw. Verwacht u zoveel apparaten, verhoog dan ${setting}. Zo niet, ga dan na of de installatiesleutel wordt misbruikt.`,
    },
    input: {
      what: 'Deze server begrijpt het verzoek niet.',
      remedy: 'Installeer een versie van de connector die compatibel is met deze server.',
    },
    page: {
      what: 'Het verzoek kwam van een webpagina en niet van een connector.',
      remedy: 'U hoeft niets te doen. Webpagina’s kunnen zich niet registreren.',
    },
    other: 'Zoek voor details in het serverlogboek naar de verzoek-ID hieronder.',
  },
}
