/** The texts of the screen of rejected registrations in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('de')

const retries =
  'Der Connector versucht es automatisch erneut. Wenn Sie so viele Geräte erwarten, erhöhen Sie'
const misuse = 'Prüfen Sie andernfalls, ob der Installationsschlüssel missbraucht wird.'

export const refusals: Texts['refusals'] = {
  title: 'Abgelehnte Registrierungen',
  search: 'Hostname, IP-Adresse, Fingerabdruck oder Anfrage-ID',
  known: 'Passende registrierte Geräte:',
  kept: (days, rows) =>
    `Der Server bewahrt abgelehnte Registrierungen ${count(days, 'Tag', 'Tage')} lang auf, höchstens jedoch ${format(rows)}.`,
  empty: (days) =>
    days === 1
      ? 'Keine abgelehnten Registrierungen in den letzten 24 Stunden.'
      : `Keine abgelehnten Registrierungen in den letzten ${format(days)} Tagen.`,
  noMatch: {
    known: 'Keine passenden Ablehnungen. Das Gerät ist registriert.',
    unknown: 'Keine passenden Ablehnungen.',
    notReached: (command) => (
      <>
        Das Gerät hat diesen Server nicht erreicht. Prüfen Sie die Server-URL auf dem Gerät und die
        Netzwerkverbindung zum Server. Für Einzelheiten führen Sie auf dem Gerät {command} aus.
      </>
    ),
  },
  groups: {
    caption: 'Abgelehnte Registrierungen nach Grund, Version und Netzwerk',
    reason: 'Grund',
    version: 'Version',
    network: 'Netzwerk',
    devices: 'Geräte',
    times: 'Versuche',
    last: 'Letzter Versuch',
    all: 'Alle abgelehnten Registrierungen anzeigen',
  },
  facts: {
    last: 'Zuletzt abgelehnt',
    repeated: (last, times, first) => (
      <>
        {last}, {format(times)}-mal seit {first}
      </>
    ),
    address: 'IP-Adresse',
    connector: 'Connector',
    key: 'Installationsschlüssel',
    noKey: 'Fehlt oder ist ungültig',
    keyOf: (version) => `Schlüssel der Version ${version}`,
    fingerprint: 'Fingerabdruck',
    details: 'Details',
    request: 'Anfrage-ID',
  },
  reasons: {
    key: {
      what: 'Der Installationsschlüssel fehlt, ist ungültig oder wurde ersetzt.',
      remedy: (setting) =>
        `Geben Sie dem Connector einen gültigen Installationsschlüssel. Verwenden Sie ein Installationsprogramm, das einen enthält, oder legen Sie auf dem Gerät ${setting} fest.`,
    },
    version: {
      what: (version) => `Version ${version} ist auf diesem Server nicht registriert.`,
      remedy: (version) =>
        `Registrieren Sie Version ${version} oder installieren Sie eine registrierte Version.`,
    },
    unnamedVersion: {
      what: 'Die Version des Connectors ist auf diesem Server nicht registriert.',
      remedy: 'Registrieren Sie die Version oder installieren Sie eine registrierte Version.',
    },
    blocked: {
      what: 'Das Gerät und sein Schlüssel sind gesperrt.',
      remedy:
        'Suchen Sie unter den Geräten nach dem Fingerabdruck. Wenn das Gerät versehentlich gesperrt wurde, entsperren Sie es.',
    },
    clock: {
      what: 'Die Uhren des Geräts und dieses Servers weichen um mehr als eine Minute voneinander ab.',
      remedy:
        'Stellen Sie die Uhr des Geräts richtig. Wenn viele Geräte das melden, prüfen Sie die Uhr des Servers.',
    },
    signature: {
      what: 'Die Signatur der Anfrage ist ungültig.',
      remedy: (setting) =>
        `Möglicherweise verwendet das Gerät eine andere URL für diesen Server, oder seine Anfragen werden im Netzwerk verändert. Stellen Sie sicher, dass die Server-URL auf dem Gerät mit ${setting} auf diesem Server übereinstimmt.`,
    },
    tooMany: {
      perMinute: {
        what: 'Von dieser IP-Adresse haben sich innerhalb einer Minute zu viele Geräte registriert.',
      },
      perAddress: {
        what: 'Von dieser IP-Adresse haben sich heute zu viele neue Geräte registriert.',
      },
      perKey: {
        what: 'Mit diesem Installationsschlüssel haben sich heute zu viele neue Geräte registriert.',
      },
      wrongKeys: {
        what: 'Von dieser IP-Adresse kamen zu viele Anfragen ohne gültigen Installationsschlüssel.',
      },
      remedy: (setting) => `${retries} ${setting}. ${misuse}`,
    },
    input: {
      what: 'Dieser Server versteht die Anfrage nicht.',
      remedy: 'Installieren Sie eine Version des Connectors, die mit diesem Server kompatibel ist.',
    },
    page: {
      what: 'Die Anfrage kam von einer Webseite, nicht von einem Connector.',
      remedy: 'Sie müssen nichts tun. Webseiten können sich nicht registrieren.',
    },
    other: 'Einzelheiten stehen im Serverprotokoll bei der unten genannten Anfrage-ID.',
  },
}
