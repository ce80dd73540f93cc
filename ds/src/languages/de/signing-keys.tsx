/** The texts of the screen of the signing keys in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count, format } = createNumbers('de')

export const signingKeys: Texts['signingKeys'] = {
  // The soft hyphen is for the menu on a narrow screen.
  title: 'Signatur\u00adschlüssel',
  about: (overlap) =>
    `Das Rotieren eines Schlüssels verursacht keine Ausfallzeit. Der Server veröffentlicht den neuen Schlüssel zuerst und signiert erst nach einer Übergangszeit (${overlap}) damit. Widerrufen Sie einen Schlüssel nur, wenn er kompromittiert sein könnte.`,
  empty: 'Noch keine Schlüssel. Der erste wird erstellt, sobald er gebraucht wird.',
  columns: {
    id: 'ID',
    status: 'Status',
    algorithm: 'Algorithmus',
    created: 'Erstellt',
    signsFrom: 'Signiert ab',
    actions: 'Aktionen',
  },
  states: {
    standby: 'Reserve',
    announced: 'Angekündigt',
    signing: 'In Verwendung',
    retiring: 'Läuft aus',
  },
  stateMeanings: {
    standby:
      'Veröffentlicht, aber noch nicht verwendet. Der Server signiert damit, sobald Sie den Schlüssel widerrufen, der in Verwendung ist.',
    announced: 'Veröffentlicht. Der Server signiert damit ab dem angezeigten Zeitpunkt.',
    signing: 'Der Server signiert jetzt damit.',
    retiring:
      'Der Server signiert nicht mehr damit. Was damit signiert wurde, gilt noch während der Übergangszeit.',
  },
  uses: {
    application: {
      name: 'Anwendung',
      title: 'Anwendungstokens',
      about: 'Mit diesen Schlüsseln prüfen Connectors die Anwendungstokens von Webseiten.',
      caption: 'Schlüssel für Anwendungstokens',
      rotate: 'Anwendungsschlüssel rotieren',
      rotateTitle: 'Schlüssel für Anwendungstokens rotieren',
      affected: (applications) =>
        applications === 0
          ? 'keine Anwendung (seit gestern hat keine Tokens angefordert)'
          : count(
              applications,
              'Anwendung, die seit gestern Tokens angefordert hat',
              'Anwendungen, die seit gestern Tokens angefordert haben',
            ),
      uses: (uses, mark) => (
        <>
          Betroffene Webseiten haben in den letzten 30 Tagen {mark(`${format(uses)}-mal`)}{' '}
          Kartenleser verwendet.
        </>
      ),
    },
    administrator: {
      name: 'Administrator',
      title: 'Zugriffstokens von Administratoren',
      about:
        'Mit diesen Schlüsseln prüft der Server die Zugriffstokens von Administratoren und ihren Programmen.',
      caption: 'Schlüssel für Zugriffstokens von Administratoren',
      rotate: 'Administratorschlüssel rotieren',
      rotateTitle: 'Schlüssel für Zugriffstokens von Administratoren rotieren',
      affected: (sessions) => count(sessions, 'offene Sitzung', 'offene Sitzungen'),
    },
    reply: {
      name: 'Antwort',
      title: 'Antworten an Connectors',
      about:
        'Connectors befolgen eine Richtlinie nur, wenn sie mit einem dieser Schlüssel signiert ist.',
      caption: 'Schlüssel für Antworten an Connectors',
      rotate: 'Antwortschlüssel rotieren',
      rotateTitle: 'Schlüssel für Antworten an Connectors rotieren',
      affected: (devices) => count(devices, 'Gerät', 'Geräte'),
    },
  },
  rotation: {
    button: 'Schlüssel rotieren',
    about: (affected, overlap) => (
      <>
        Der neue Schlüssel wird sofort veröffentlicht. Nach einer Übergangszeit ({overlap}) signiert
        der Server damit. Danach bleibt der alte Schlüssel noch einmal genauso lange veröffentlicht,
        damit beim Wechsel nichts ausfällt. Betroffen: {affected}.
      </>
    ),
    wayBack:
      'Um das rückgängig zu machen, widerrufen Sie den angekündigten Schlüssel, bevor der Server damit signiert.',
  },
  revocation: {
    link: (hide, id) => <>Widerrufen{hide(`: Schlüssel ${id}`)}</>,
    title: (id) => `Schlüssel ${id} widerrufen`,
    button: 'Schlüssel widerrufen',
    about: (use, state, created) => (
      <>
        {use}. Status: {state}. Erstellt: {created}.
      </>
    ),
    effect: (affected) => (
      <>Alles, was mit diesem Schlüssel signiert wurde, wird ungültig. Betroffen: {affected}.</>
    ),
    successor: 'Der Server signiert dann sofort mit dem angekündigten oder einem neuen Schlüssel.',
    successorKnown: (created, devices, setting, mark) => (
      <>
        Der nächste Schlüssel wurde am {created} erstellt.{' '}
        {devices === 0 ? (
          'Alle Geräte haben sich seitdem synchronisiert und vertrauen ihm.'
        ) : (
          <>
            {mark(count(devices, 'Gerät hat', 'Geräte haben'))} sich seitdem nicht synchronisiert.{' '}
            {devices === 1 ? 'Dieses Gerät vertraut' : 'Diese Geräte vertrauen'} dem Server erst
            wieder, wenn Sie dort {setting} festlegen.
          </>
        )}
      </>
    ),
    spare:
      'Ein neuer Schlüssel tritt an seine Stelle. Geräte erhalten ihn bei der nächsten Synchronisierung. Widerrufen Sie den Schlüssel, der in Verwendung ist, erst danach. Sonst vertrauen die Geräte dem Server nicht mehr.',
  },
}
